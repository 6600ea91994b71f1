import { expect, test } from "vitest";
import { englishWords } from "../words/words";
import { expectedInWords } from "./expected";

test("when something comes is told in words, by India's days", () => {
  const at = (day: number, hour: number) => Date.UTC(2026, 8, day, hour);
  const words = (moment: number) => englishWords(expectedInWords(moment, "2026-09-28"));
  expect(words(at(28, 12))).toBe("Expected today");
  // Half past midnight in India.
  expect(words(at(28, 19))).toBe("Expected tomorrow");
  expect(words(at(27, 18))).toBe("It was expected about 27 Sep 2026");
  expect(words(at(27, 19))).toBe("Expected today");
  expect(words(at(30, 12))).toBe("Expected on Wednesday");
  expect(words(at(34, 12))).toBe("Expected on Sunday");
  // A weekday would be today's.
  expect(words(at(35, 12))).toBe("Expected about 5 Oct 2026");
});
