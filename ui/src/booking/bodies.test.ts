import { expect, test } from "vitest";
import corpus from "../../../server/tests/wizard_bodies.json";
import type { DraftContent, RateRequest } from "../wire";
import { flowFromDraft } from "./draft-flow";
import { bookingPayload } from "./payload";
import { priceRequest } from "./price-request";
import { USER } from "./sample";

/** A draft, and what is sent for it. The server's tests read the same file. */
type Case = {
  name: string;
  draft: DraftContent;
  email: string;
  company_name: string;
  today: string;
  otp: string;
  price: RateRequest;
  body: object;
};

const CASES = corpus as unknown as readonly Case[];

test.each(CASES)("$name is priced and booked by a script as without one", (entry) => {
  const { id, quoted, quote, draft, kyc } = flowFromDraft(entry.draft);
  if (quoted === null || quote === null || draft === null) throw new Error("not a whole draft");
  expect(priceRequest(quoted, draft)).toEqual(entry.price);
  const { email, company_name, today, otp } = entry;
  const user = { ...USER, email, company_name };
  expect(bookingPayload({ id, quoted, quote, draft, kyc, user, today, otp })).toEqual(entry.body);
});
