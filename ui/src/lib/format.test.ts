import { describe, expect, test } from "vitest";
import { englishWords } from "../words/words";
import {
  codeInWords,
  count,
  date,
  dateTime,
  dayInWords,
  days,
  grams,
  kilograms,
  NOT_AVAILABLE,
  orNotAvailable,
  phone,
  rupees,
  rupeesAbout,
  rupeesShort,
  signedRupees,
  telephoneHref,
} from "./format";
import { readIndianMobile } from "./input";

describe("rupees", () => {
  test.each([
    [0, "₹0.00"],
    [5, "₹5.00"],
    [999.9, "₹999.90"],
    [1000, "₹1,000.00"],
    [99999.99, "₹99,999.99"],
    [100000, "₹1,00,000.00"],
    [1234567.5, "₹12,34,567.50"],
    [123456789.01, "₹12,34,56,789.01"],
    [-250.5, "-₹250.50"],
    [-0.001, "₹0.00"],
    [0.1 + 0.2, "₹0.30"],
  ])("writes %d as %s", (amount, text) => expect(rupees(amount)).toBe(text));

  test("groups as the en-IN locale does", () => {
    const locale = new Intl.NumberFormat("en-IN", { style: "currency", currency: "INR" });
    for (const amount of [1, 12, 123, 1234, 12345, 123456, 1234567, 98765432.1]) {
      expect(rupees(amount)).toBe(locale.format(amount));
    }
  });

  test("drops decimals only when there are none", () => {
    expect(rupeesAbout(0)).toBe("₹0");
    expect(rupeesAbout(999.4)).toBe("₹999");
    expect(rupeesAbout(45_678)).toBe("₹46k");
    expect(rupeesAbout(99_999)).toBe("₹100k");
    expect(rupeesAbout(1_234_567.5)).toBe("₹12L");
    expect(rupeesAbout(34_567_890)).toBe("₹3.5Cr");
    expect(rupeesShort(5000)).toBe("₹5,000");
    expect(rupeesShort(5000.5)).toBe("₹5,000.50");
  });
});

describe("dates", () => {
  const utc = (text: string) => new Date(text).getTime();

  test("are those of India, half past five ahead", () => {
    const dateOf = (text: string) => englishWords(date(utc(text)));
    const dateTimeOf = (text: string) => englishWords(dateTime(utc(text)));
    expect(dateOf("2026-09-28T18:29:59Z")).toBe("28 Sep 2026");
    expect(dateOf("2026-09-28T18:30:00Z")).toBe("29 Sep 2026");
    expect(dateOf("2026-12-31T18:30:00Z")).toBe("1 Jan 2027");
    expect(dateTimeOf("2026-09-28T10:35:00Z")).toBe("28 Sep 2026, 4:05 pm");
    expect(dateTimeOf("2026-09-27T18:30:00Z")).toBe("28 Sep 2026, 12:00 am");
    expect(dateTimeOf("2026-09-28T06:30:00Z")).toBe("28 Sep 2026, 12:00 pm");
  });

  test("agree with the platform's calendar over two centuries", () => {
    const calendar = new Intl.DateTimeFormat("en-US", {
      timeZone: "Asia/Kolkata",
      dateStyle: "medium",
    });
    const turned = (text: string) => text.replace(/^(\w+) (\d+), (\d+)$/, "$2 $1 $3");
    for (let ms = utc("1950-01-01T00:00:00Z"); ms < utc("2150-01-01"); ms += 9_876_543_210) {
      expect(englishWords(date(ms))).toBe(turned(calendar.format(ms)));
    }
  });
});

test("missing values read N/A", () => {
  expect(orNotAvailable(null)).toBe("N/A");
  expect(orNotAvailable("  ")).toBe("N/A");
  expect(orNotAvailable("Pune")).toBe("Pune");
  expect(rupees(0)).toBe("₹0.00");
  expect(codeInWords("")).toBe("N/A");
});

test.each([null, undefined, NaN, Infinity, "12", "28 Sep 2026", {}, 9e15])(
  "no formatter makes nonsense of %s",
  (sent) => {
    const value = sent as number | null;
    for (const format of [rupees, rupeesShort, rupeesAbout, count, grams, kilograms, days]) {
      expect(englishWords(format(value))).not.toMatch(/NaN|undefined|null|Infinity|object/);
    }
    for (const format of [date, dateTime]) expect(format(value)).toBe(NOT_AVAILABLE);
    expect(signedRupees("credit", value)).not.toMatch(/NaN|undefined|null|Infinity|object/);
  },
);

test("a weight or a day of another form reads N/A", () => {
  expect(englishWords(kilograms("1.5"))).toBe("1.5 kg");
  for (const weight of ["", "heavy", "undefined"]) expect(kilograms(weight)).toBe(NOT_AVAILABLE);
  for (const day of ["", "tomorrow", "2026-13-01", "2026-1-1"]) {
    expect(dayInWords(day)).toBe(NOT_AVAILABLE);
  }
});

test("money that comes in has a plus, money that goes out a minus", () => {
  expect(signedRupees("credit", 500)).toBe("+ ₹500.00");
  expect(signedRupees("CREDIT", 500)).toBe("+ ₹500.00");
  expect(signedRupees("debit", 158.73)).toBe("− ₹158.73");
});

test("a mobile number stands in two groups, any other as it is, and none breaks", () => {
  for (const number of ["9845012345", "09845012345", "919845012345"]) {
    expect(phone(number)).toBe("98450\u00a012345");
  }
  for (const number of ["+919876543210", "+91 98765-43210"]) {
    expect(phone(number)).toBe("+91\u00a098765\u00a043210");
  }
  for (const number of ["01123456789", "12345"]) expect(phone(number)).toBe(number);
  expect(phone("+1 212 555 0100")).toBe("+1\u00a0212\u00a0555\u00a00100");
  expect(phone("")).toBe(NOT_AVAILABLE);
});

test("a number is read again and called as it is shown", () => {
  for (const number of ["9845012345", "+919845012345"]) {
    expect(readIndianMobile(phone(number))).toBe("9845012345");
    expect(telephoneHref(phone(number))).toBe(`tel:${number}`);
    expect(phone(phone(number))).toBe(phone(number));
  }
});

test("one day is no plural", () => {
  expect(englishWords(days(1))).toBe("1 day");
  expect(englishWords(days(4))).toBe("4 days");
});

test("codes become words and grams become kilograms", () => {
  expect(codeInWords("in_transit")).toBe("In transit");
  expect(codeInWords("COMPLETED")).toBe("Completed");
  expect(englishWords(grams(1500))).toBe("1.5 kg");
  expect(englishWords(grams(50))).toBe("0.05 kg");
});
