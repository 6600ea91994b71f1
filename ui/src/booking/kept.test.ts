import { expect, test } from "vitest";
import { RATE_DEFAULTS } from "../rates/rate-form";
import { SECTIONS } from "./fields";
import { START, type Flow } from "./flow";
import { contentOf, flowOf, follows, isOver, startFlow } from "./kept";
import { print } from "./print";
import { RULES } from "./rules";
import { BOOKED, NO_DRAFT, option, quoted } from "./sample";

const details = { consignee_name: "Ravi Kumar" };
const review: Flow = {
  ...START,
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
  expect(contentOf(flow, { rate: flow.usual }), "nothing was entered yet").toBeNull();
  const typed = { ...flow.usual, destination_pincode: "560001" };
  expect(contentOf(flow, { rate: typed })?.rate).toEqual(typed);
});

test("a booking comes back as it was left, with the service that was chosen", () => {
  const content = contentOf(review, {});
  expect(flowOf(content)).toEqual({ ...review, quoted: quoted([option()]), selected: 0 });
  expect(print(contentOf(flowOf(content), {}))).toBe(print(content));
});

test("what is typed in a form wins over what the flow knows", () => {
  const rate = { ...RATE_DEFAULTS, origin_pincode: "11" };
  expect(contentOf(START, { rate })).toMatchObject({ step: "rate", rate });
  const content = contentOf({ ...review, step: "details" }, { details: { remark: "Fragile" } });
  expect(content?.details).toEqual({ remark: "Fragile" });
});

test("an OTP is asked for again, and nothing of it is kept", () => {
  const otp = { quoteId: "quote-2", text: "Sent.", againMs: 9_000, inboxUrl: null };
  const content = contentOf({ ...review, step: "otp", otp }, {});
  expect(content).toMatchObject({ step: "review", attempt: null });
  expect(print(content)).not.toContain("Sent.");
});

test("an empty booking and a finished one are not kept", () => {
  expect(contentOf(START, {})).toBeNull();
  expect(contentOf(START, { rate: RATE_DEFAULTS })).toBeNull();
  expect(contentOf({ ...review, step: "success" }, {})).toBeNull();
});

test("a draft whose step lacks its data falls back to a step that can be shown", () => {
  const content = contentOf(review, {});
  if (content === null) throw new Error("nothing to keep");
  expect(flowOf({ ...content, quote: null }).step).toBe("details");
  expect(flowOf({ ...content, chosen: null }).step).toBe("rate");
});

test("a draft that was booked meanwhile shows what it became", () => {
  const content = contentOf(review, {});
  const flow = startFlow({ ...NO_DRAFT, content, booked: BOOKED });
  // With its steps: a booking within India had no documents.
  expect(flow).toEqual({ ...flowOf(content), step: "success", result: BOOKED });
  expect(startFlow(NO_DRAFT)).toEqual(START);
});

test("the order in which fields were written does not matter", () => {
  const content = contentOf(review, {});
  const turned = Object.fromEntries(Object.entries(content ?? {}).reverse());
  expect(print(turned as never)).toBe(print(content));
});

test("the server knows every field of the details", () => {
  const names = SECTIONS.flatMap(({ fields }) => fields.map(({ name }) => name));
  expect([...RULES.keys()].sort()).toEqual([...names].sort());
});

test("a device's changes build on their revision, or on a change whose answer was lost", () => {
  const unsaved = { username: "asha", revision: 3, content: null, doubtful: [] };
  const content = contentOf(START, { rate: { ...RATE_DEFAULTS, weight: "2" } });
  const doubtful = [print(content)];
  expect(follows(unsaved, { revision: 3, content })).toBe(true);
  expect(follows(unsaved, { revision: 4, content })).toBe(false);
  expect(follows({ ...unsaved, doubtful }, { revision: 4, content })).toBe(true);
  expect(follows({ ...unsaved, doubtful }, { revision: 4, content: null })).toBe(false);
});

test("what a device saved is over on a page drawn after it, and follows one before", () => {
  const content = contentOf(START, { rate: { ...RATE_DEFAULTS, weight: "2" } });
  const unsaved = { username: "asha", revision: 3, content, doubtful: [], saved: true };
  for (const [revision, over] of [
    [2, false],
    [3, true],
    [4, true],
  ] as const) {
    expect(isOver(unsaved, { revision, content: null })).toBe(over);
    expect(follows(unsaved, { revision, content: null })).toBe(!over);
  }
  expect(isOver({ ...unsaved, saved: false }, { revision: 3, content: null })).toBe(false);
});
