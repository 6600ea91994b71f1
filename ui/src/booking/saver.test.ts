import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../lib/api-error";
import { RATE_DEFAULTS } from "../rates/rate-form";
import type { DraftContent, KeptDraft } from "../wire";
import { NEW_FLOW } from "./flow";
import { draftContent } from "./draft-flow";
import { canonicalJson } from "./canonical-json";
import { NO_DRAFT } from "./sample";
import { createSaver } from "./saver";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const typed = (weight: string): DraftContent => {
  const content = draftContent(NEW_FLOW, { rate: { ...RATE_DEFAULTS, weight } });
  if (content === null) throw new Error("nothing to keep");
  return content;
};

/** A server with one draft, which may be out of reach or lose its answers. */
function fixture() {
  const server = { ...NO_DRAFT };
  const seen = {
    puts: 0,
    device: null as string | null,
    doubtful: [] as readonly string[],
    saved: false,
    stale: null as KeptDraft | null,
    reach: true,
  };
  const faults = { unreachable: false, losesAnswers: false };
  const put = (revision: number, content: DraftContent | null) => {
    seen.puts += 1;
    const network = () => Promise.reject(new ApiError("", 0, { code: "network" }));
    if (faults.unreachable) return network();
    if (revision !== server.revision) {
      return Promise.reject(new ApiError("", 409, { code: "stale", data: { ...server } }));
    }
    Object.assign(server, { revision: revision + 1, content });
    return faults.losesAnswers ? network() : Promise.resolve({ revision: revision + 1 });
  };
  const saver = createSaver(
    {
      put,
      keep: (_revision, content, doubtful, saved) =>
        void Object.assign(seen, { device: canonicalJson(content), doubtful, saved }),
      forget: () => (seen.device = null),
      onSaved: () => undefined,
      onReach: (reachable) => (seen.reach = reachable),
      onStale: (theirs) => (seen.stale = theirs),
    },
    server,
  );
  return { server, seen, faults, saver };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("what is typed is on the device at once and on the server after a pause, once", async () => {
  const { server, seen, saver } = fixture();
  for (const weight of ["2", "2.", "2.5"]) saver.note(typed(weight), 1_000);
  expect(seen).toMatchObject({ puts: 0, device: canonicalJson(typed("2.5")) });
  await pass(1_000);
  expect(server).toMatchObject({ revision: 1, content: typed("2.5") });
  expect(seen).toMatchObject({ puts: 1, device: null });
});

test("what did not change is not sent", async () => {
  const { seen, saver } = fixture();
  saver.note(null, 0);
  saver.note(typed("2"), 1_000);
  saver.note(null, 1_000);
  await pass(60_000);
  expect(seen).toMatchObject({ puts: 0, device: null });
});

test("what was typed while a change was on its way follows it", async () => {
  const { server, seen, saver } = fixture();
  saver.note(typed("2"), 0);
  saver.flush();
  saver.note(typed("3"), 60_000);
  await pass(0);
  expect(server).toMatchObject({ revision: 2, content: typed("3") });
  expect(seen.device).toBeNull();
});

test("without a connection it stays on the device and is sent when there is one", async () => {
  const { server, seen, faults, saver } = fixture();
  faults.unreachable = true;
  saver.note(typed("2"), 0);
  await pass(20_000);
  expect(seen).toMatchObject({ device: canonicalJson(typed("2")), reach: false });
  faults.unreachable = false;
  await pass(5_000);
  expect(server.content).toEqual(typed("2"));
  expect(seen).toMatchObject({ device: null, reach: true });
});

test("a change whose answer was lost is not taken for somebody else's", async () => {
  const { server, seen, faults, saver } = fixture();
  faults.losesAnswers = true;
  saver.note(typed("2"), 0);
  await pass(0);
  faults.losesAnswers = false;
  saver.note(typed("3"), 0);
  await pass(0);
  expect(seen.stale).toBeNull();
  expect(server).toMatchObject({ revision: 2, content: typed("3") });
});

test("the device knows what was sent without an answer, however often since", async () => {
  const { server, seen, faults, saver } = fixture();
  faults.losesAnswers = true;
  saver.note(typed("2"), 0);
  expect(seen.doubtful).toEqual([]);
  await pass(0);
  faults.unreachable = true;
  for (const weight of ["3", "4"]) {
    saver.note(typed(weight), 0);
    await pass(20_000);
  }
  expect(seen).toMatchObject({
    device: canonicalJson(typed("4")),
    doubtful: [canonicalJson(typed("2"))],
  });
  Object.assign(faults, { unreachable: false, losesAnswers: false });
  await pass(5_000);
  expect(server).toMatchObject({ revision: 2, content: typed("4") });
  expect(seen).toMatchObject({ device: null, stale: null });
});

test("what was taken back while it was on its way is taken back on the server too", async () => {
  const { server, seen, faults, saver } = fixture();
  faults.losesAnswers = true;
  saver.note(typed("2"), 0);
  await pass(0);
  faults.losesAnswers = false;
  saver.note(null, 0);
  await pass(5_000);
  expect(server).toMatchObject({ revision: 2, content: null });
  expect(seen).toMatchObject({ device: null, stale: null });
});

test("what the page before sent on its way out is not taken for somebody else's", async () => {
  const { server, seen, saver } = fixture();
  saver.recall([canonicalJson(typed("2"))]);
  Object.assign(server, { revision: 1, content: typed("2") });
  saver.note(typed("3"), 0);
  expect(seen.doubtful).toEqual([canonicalJson(typed("2"))]);
  await pass(0);
  expect(server).toMatchObject({ revision: 2, content: typed("3") });
  expect(seen).toMatchObject({ device: null, stale: null });
});

test("what the tab beside found on the device and sent is not somebody else's either", async () => {
  const { server, seen, saver } = fixture();
  saver.note(typed("2"), 1_000);
  Object.assign(server, { revision: 1, content: typed("2") });
  saver.note(typed("3"), 0);
  await pass(0);
  expect(server).toMatchObject({ revision: 2, content: typed("3") });
  expect(seen).toMatchObject({ device: null, stale: null });
});

test("somebody else's change is shown, and nothing is sent until it is decided", async () => {
  const { server, seen, saver } = fixture();
  Object.assign(server, { revision: 4, content: typed("9") });
  saver.note(typed("2"), 0);
  await pass(0);
  expect(seen.stale?.content).toEqual(typed("9"));
  saver.note(typed("3"), 0);
  await pass(60_000);
  expect(seen.puts).toBe(1);
  saver.decide(server, true);
  await pass(0);
  expect(server).toMatchObject({ revision: 5, content: typed("3") });
});

test("the other version can be taken instead", async () => {
  const { server, seen, saver } = fixture();
  Object.assign(server, { revision: 4, content: typed("9") });
  saver.note(typed("2"), 0);
  await pass(0);
  saver.decide(server, false);
  saver.note(typed("9"), 0);
  await pass(60_000);
  expect(server.revision).toBe(4);
  expect(seen).toMatchObject({ puts: 1, device: null });
  saver.note(null, 0);
  await pass(0);
  expect(server).toMatchObject({ revision: 5, content: null });
});

test("what is saved while the page is left stays on the device, or the page does", async () => {
  const { server, seen, saver } = fixture();
  saver.note(typed("2"), 1_000);
  saver.leave();
  expect(seen).toMatchObject({ device: canonicalJson(typed("2")), saved: false });
  await pass(0);
  expect(server.content).toEqual(typed("2"));
  expect(seen).toMatchObject({ device: canonicalJson(typed("2")), saved: true });
  await pass(60_000);
  expect(seen.device).toBeNull();
});

test("a wizard that is closed forgets nothing that the next one left on the device", async () => {
  const { seen, saver } = fixture();
  saver.note(typed("2"), 1_000);
  saver.leave();
  saver.end();
  await pass(0);
  expect(seen.device).toBeNull();
  seen.device = "of the next one";
  await pass(60_000);
  expect(seen.device).toBe("of the next one");
});

test("what another window saved of a booking goes once it is booked", async () => {
  for (const isTold of [false, true]) {
    const { server, seen, saver } = fixture();
    const booked = (weight: string): DraftContent => ({ ...typed(weight), id: "draft-1" });
    saver.note(booked("2"), 0);
    await pass(0);
    Object.assign(server, { revision: 4, content: booked("9") });
    if (isTold) {
      saver.note(booked("3"), 0);
      await pass(0);
      expect(seen.stale?.content).toEqual(booked("9"));
      seen.stale = null;
    }
    saver.finish("draft-1");
    saver.note(null, 0);
    await pass(1_000);
    expect(server.content, String(isTold)).toBeNull();
    expect(seen).toMatchObject({ stale: null, device: null });
  }
});

test("a booking that another window began meanwhile is no part of the booked one", async () => {
  const { server, seen, saver } = fixture();
  saver.note({ ...typed("2"), id: "draft-1" }, 0);
  await pass(0);
  Object.assign(server, { revision: 4, content: { ...typed("9"), id: "draft-2" } });
  saver.finish("draft-1");
  saver.note(null, 0);
  await pass(1_000);
  expect(server.content?.id).toBe("draft-2");
  expect(seen.stale?.content?.id).toBe("draft-2");
});
