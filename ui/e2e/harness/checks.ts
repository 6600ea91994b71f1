import { expect } from "vitest";
import type { Account } from "./customer";

/** Waits until the server has this value in the details of the booking that was begun. */
export async function waitForDraftValue({ draft }: Account, field: string, value: string) {
  await expect.poll(async () => (await draft())?.details?.[field]).toBe(value);
}

export async function expectBookedOnce({ history }: Account, awb: string) {
  expect(await history()).toMatchObject({ count: 1, results: [{ awb_number: awb }] });
}
