import { expect, test } from "vitest";
import { RATE_DEFAULTS } from "../rates/rate-form";
import { SECTIONS } from "./fields";
import { NEW_FLOW, reduce, type Flow } from "./flow";
import { draftContent, flowFromDraft, buildsOn, isSuperseded, startFlow } from "./draft-flow";
import { canonicalJson } from "./canonical-json";
import { bookingMessages } from "./messages";
import { RULES } from "./rules";
import { BOOKED, NO_DRAFT, option, quoted } from "./sample";

const details = { consignee_name: "Ravi Kumar" };
const review: Flow = {
  ...NEW_FLOW,
  step: "review",
  rate: quoted([]).values,
  quoted: quoted([option({ product_id: 6 }), option()]),
  selected: 1,
  draft: details,
  quote: option({ quote_id: "quote-2" }),
  oldPrice: 200,
  attempt: { key: "a-key-of-its-own", body: "1-2-3" },
};

test("a new booking begins like the last one, from the sender chosen for that", () => {
  const fields = { consigner_pincode: "110001" };
  const sender = { id: "p1", kind: "consignor", name: "Asha", fields, is_default: true } as const;
  const last = { booking_type: "2", shipment_type: "2" };
  const flow = startFlow({ ...NO_DRAFT, last }, null, sender);
  expect(flow.usual).toEqual({ ...RATE_DEFAULTS, ...last, origin_pincode: "110001" });
  expect(draftContent(flow, { rate: flow.usual }), "nothing was entered yet").toBeNull();
  const typed = { ...flow.usual, destination_pincode: "560001" };
  expect(draftContent(flow, { rate: typed })?.rate).toEqual(typed);
});

test("a booking comes back as it was left, with the service that was chosen", () => {
  const content = draftContent(review, {});
  const chosen = { ...quoted([option()]), notes: [bookingMessages.onlyChosen] };
  expect(flowFromDraft(content)).toEqual({ ...review, quoted: chosen, selected: 0 });
  expect(canonicalJson(draftContent(flowFromDraft(content), {}))).toBe(canonicalJson(content));
});

test("a draft has its id from its first save on", () => {
  expect(draftContent(review, {})).not.toHaveProperty("id");
  const content = draftContent({ ...review, id: "draft-1" }, {});
  expect(content).toMatchObject({ id: "draft-1" });
  expect(flowFromDraft(content).id).toBe("draft-1");
  expect(draftContent({ ...NEW_FLOW, id: "draft-1" }, {}), "nothing was entered").toBeNull();
});

test("a service chosen before sorting holds until the rates are asked for again", () => {
  const shipment = quoted([option({ product_id: 6 }), option({ product_id: 7 })]);
  const priced = { quoted: shipment, error: null, errors: [] };
  const flow = startFlow(NO_DRAFT, priced, undefined, null, "7");
  expect(flow.selected).toBe(1);
  const again = reduce(flow, { type: "rates arrived", quoted: shipment });
  expect(again.selected).toBeNull();
  expect(startFlow(NO_DRAFT, priced, undefined, null, "8").selected).toBeNull();
});

test("what is typed in a form wins over what the flow knows", () => {
  const rate = { ...RATE_DEFAULTS, origin_pincode: "11" };
  expect(draftContent(NEW_FLOW, { rate })).toMatchObject({ step: "rate", rate });
  const content = draftContent({ ...review, step: "details" }, { details: { remark: "Fragile" } });
  expect(content?.details).toEqual({ remark: "Fragile" });
});

test("an OTP is asked for again, and nothing of it is kept", () => {
  const otp = { quoteId: "quote-2", text: "Sent.", againMs: 9_000, inboxUrl: null };
  const content = draftContent({ ...review, step: "otp", otp }, {});
  expect(content).toMatchObject({ step: "review", attempt: null });
  expect(canonicalJson(content)).not.toContain("Sent.");
});

test("an empty booking and a finished one are not kept", () => {
  expect(draftContent(NEW_FLOW, {})).toBeNull();
  expect(draftContent(NEW_FLOW, { rate: RATE_DEFAULTS })).toBeNull();
  expect(draftContent({ ...review, step: "success" }, {})).toBeNull();
});

test("a draft whose step lacks its data falls back to a step that can be shown", () => {
  const content = draftContent(review, {});
  if (content === null) throw new Error("nothing to keep");
  expect(flowFromDraft({ ...content, quote: null }).step).toBe("details");
  expect(flowFromDraft({ ...content, chosen: null }).step).toBe("rate");
});

test("a draft that was booked meanwhile shows what it became", () => {
  const content = draftContent(review, {});
  const flow = startFlow({ ...NO_DRAFT, content, booked: BOOKED });
  // With its steps: a booking within India had no documents.
  expect(flow).toEqual({ ...flowFromDraft(content), step: "success", result: BOOKED });
  expect(startFlow(NO_DRAFT)).toEqual(NEW_FLOW);
});

test("the order in which fields were written does not matter", () => {
  const content = draftContent(review, {});
  const turned = Object.fromEntries(Object.entries(content ?? {}).reverse());
  expect(canonicalJson(turned as never)).toBe(canonicalJson(content));
});

test("the server knows every field of the details", () => {
  const names = SECTIONS.flatMap(({ fields }) => fields.map(({ name }) => name));
  expect([...RULES.keys()].sort()).toEqual([...names].sort());
});

test("a device's changes build on their revision, or on a change whose answer was lost", () => {
  const unsaved = { username: "asha", revision: 3, content: null, doubtful: [] };
  const content = draftContent(NEW_FLOW, { rate: { ...RATE_DEFAULTS, weight: "2" } });
  const doubtful = [canonicalJson(content)];
  expect(buildsOn(unsaved, { revision: 3, content })).toBe(true);
  expect(buildsOn(unsaved, { revision: 4, content })).toBe(false);
  expect(buildsOn({ ...unsaved, doubtful }, { revision: 4, content })).toBe(true);
  expect(buildsOn({ ...unsaved, doubtful }, { revision: 4, content: null })).toBe(false);
});

test("what a device saved is over on a page drawn after it, and follows one before", () => {
  const content = draftContent(NEW_FLOW, { rate: { ...RATE_DEFAULTS, weight: "2" } });
  const unsaved = { username: "asha", revision: 3, content, doubtful: [], saved: true };
  for (const [revision, over] of [
    [2, false],
    [3, true],
    [4, true],
  ] as const) {
    expect(isSuperseded(unsaved, { revision, content: null })).toBe(over);
    expect(buildsOn(unsaved, { revision, content: null })).toBe(!over);
  }
  expect(isSuperseded({ ...unsaved, saved: false }, { revision: 3, content: null })).toBe(false);
});
