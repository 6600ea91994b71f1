import { expect, test } from "vitest";
import amounts from "../../../server/tests/recharge_amounts.json";
import { RECHARGE_MIN_RUPEES } from "../wire";
import { englishWords } from "../words/words";
import { amountProblem, wholeRupees } from "./recharge-amount";

/** A text, and its whole rupees or null. The server's tests read the same file. */
const AMOUNTS = amounts as [string, number | null][];

test("an amount is whole rupees however it is typed, and not too little", () => {
  for (const [text, rupees] of AMOUNTS) {
    expect(wholeRupees(text), text).toBe(rupees);
    const problem = amountProblem(rupees, RECHARGE_MIN_RUPEES);
    const said = problem === undefined ? "" : englishWords(problem);
    if (rupees === null) expect(said, text).toBe("Please enter an amount in whole rupees.");
    else expect(said, text).toBe(rupees < 10 ? "Minimum recharge amount is ₹10" : "");
  }
});

test("nothing typed is too little rather than wrong", () => {
  expect(wholeRupees(" ")).toBe(0);
});
