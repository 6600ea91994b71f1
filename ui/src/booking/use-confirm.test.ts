import { expect, test } from "vitest";
import { ApiError } from "../lib/api-error";
import { CONFIRM_QUESTIONS_MAX } from "../lib/limits";
import { retryUntilAnswered } from "./use-confirm";

const inFlight = () => new ApiError("Confirming", 409, { code: "in_flight" });

/** A server that has its courier's answer after so many questions. */
function courier(questions: number) {
  let asked = 0;
  const ask = () => {
    asked += 1;
    return asked < questions ? Promise.reject(inFlight()) : Promise.resolve("booked");
  };
  return { ask, asked: () => asked };
}

test("a confirmation asks on while the courier has not answered", async () => {
  const { ask, asked } = courier(3);
  let waits = 0;
  expect(await retryUntilAnswered(ask, () => (waits += 1))).toBe("booked");
  expect([asked(), waits]).toEqual([3, 2]);
});

test("after some minutes it stops asking and says so", async () => {
  const { ask, asked } = courier(Infinity);
  await expect(retryUntilAnswered(ask, () => undefined)).rejects.toMatchObject({
    code: "in_flight",
  });
  expect(asked()).toBe(CONFIRM_QUESTIONS_MAX);
});

test("any other refusal is told at once", async () => {
  const refused = new ApiError("No", 409, { code: "courier_refused" });
  let asked = 0;
  const ask = () => {
    asked += 1;
    return Promise.reject(refused);
  };
  await expect(retryUntilAnswered(ask, () => undefined)).rejects.toBe(refused);
  expect(asked).toBe(1);
});
