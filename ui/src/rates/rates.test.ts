import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Api } from "../lib/api";
import values from "../../../server/tests/rate_values.json";
import type { RateOption } from "../wire";
import { countryNamed, destinations, searchCountries } from "./country-names";
import { sortRates, rateMarks } from "./marks";
import { quote } from "./quote";
import { RATE_DEFAULTS, rateErrors, rateRequest, rateValues, readRateValues } from "./rate-form";

const domestic = {
  ...RATE_DEFAULTS,
  booking_type: "2",
  origin_pincode: "560001",
  destination_pincode: "110001",
};
/** A field, what is typed, and who refuses it. The server's tests read the same file. */
const VALUES = values as [string, string, "" | "both" | "browser" | "server"][];
const foreign = { ...domestic, booking_type: "1", destination_country: "231" };

describe("the rate form", () => {
  test("begins with its defaults and keeps what was typed", () => {
    expect(rateValues({ origin_pincode: " 560001 " })).toEqual({
      ...RATE_DEFAULTS,
      origin_pincode: "560001",
    });
  });

  test("names what is missing", () => {
    const paths = (changes: object) =>
      rateErrors({ ...domestic, ...changes }).map((error) => error.path);
    expect(paths({})).toEqual([]);
    expect(paths({ origin_pincode: "5600", destination_pincode: "x" })).toEqual([
      "origin_pincode",
      "destination_pincode",
    ]);
    expect(paths({ booking_type: "1" })).toEqual(["destination_country"]);
    for (const weight of ["", "0", "50 g", "2,500", "2.5555", "1001"])
      expect(paths({ weight }), weight).toEqual(["weight"]);
    expect(paths({ length: "", width: "", height: "" })).toEqual([]);
    expect(paths({ length: "0.5" })).toEqual(["length"]);
    expect(paths({ quantity: "0" })).toEqual(["quantity"]);
    expect(paths({ quantity: "0", shipment_type: "2" })).toEqual([]);
    expect(paths({ length: "", width: "", height: "" })).toEqual([]);
    expect(paths({ length: "0", width: "x", height: "1001" })).toEqual([
      "length",
      "width",
      "height",
    ]);
  });

  test("takes and refuses what the shared list says", () => {
    for (const [field, text, refusedBy] of VALUES) {
      const paths = rateErrors({ ...domestic, [field]: text }).map((error) => error.path);
      const isRefused = ["both", "browser"].includes(refusedBy);
      expect(paths, `${field}: ${text}`).toEqual(isRefused ? [field] : []);
    }
  });

  test("is read however it is pasted or typed", () => {
    const typed = {
      ...domestic,
      origin_pincode: "560 001",
      destination_pincode: "\u202a110-001\u202c",
      weight: ".5 kg",
      length: "३०",
      width: "12,5",
      quantity: "२",
    };
    expect(rateErrors(typed)).toEqual([]);
    expect(rateRequest(readRateValues(typed))).toMatchObject({
      origin_pincode: "560001",
      destination_pincode: "110001",
      weight: 0.5,
      length: 30,
      width: 12.5,
      quantity: 2,
    });
  });

  test("sends a country abroad only, and one piece for papers", () => {
    expect(rateRequest(domestic)).not.toHaveProperty("destination_country");
    expect(rateRequest(foreign).destination_country).toBe("231");
    expect(rateRequest({ ...domestic, shipment_type: "2", quantity: "9" }).quantity).toBe(1);
    expect(rateRequest({ ...domestic, length: "" }).length).toBe(0);
  });
});

describe("the destination country", () => {
  const cells = (file: string) =>
    readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(","));
  const all = cells("server/data/countries.csv").map((row) => {
    const [country_id, country_code = "", iso3, country_name = ""] = row;
    const names =
      row
        .at(-1)
        ?.split("|")
        .filter((name) => /\p{Script=Latin}/u.test(name)) ?? [];
    const common = row.at(-2) === "" ? null : Number(row.at(-2));
    const also = [iso3, ...names].join("|");
    return { country_id: Number(country_id), country_code, country_name, also, common };
  });
  const list = destinations(all);
  const found = (typed: string) => searchCountries(list, typed).map((it) => it.country_code);

  test("is found by the names that people use, as on the server", () => {
    for (const [typed = "", first] of cells("server/tests/it/rates/country_names.csv")) {
      expect(found(typed)[0], typed).toBe(first);
    }
    expect(found("ates")).toEqual([]);
  });

  test("is one of the commonest as long as nothing is typed, and never India", () => {
    expect(found("").slice(0, 4)).toEqual(["US", "AE", "GB", "CA"]);
    expect(found("").slice(10, 12)).toEqual(["AF", "AL"]);
    expect(found("india")).toEqual([]);
  });

  test("is taken as typed only by a whole name", () => {
    expect(countryNamed(list, " u.k. ")?.country_code).toBe("GB");
    expect(countryNamed(list, "holland")?.country_code).toBe("NL");
    expect(countryNamed(list, "united")).toBeUndefined();
    expect(countryNamed(list, "")).toBeUndefined();
  });
});

/** An API that knows some postal codes and notes the order of calls. */
function apiWithCodes(...codes: string[]) {
  const calls: string[] = [];
  const api = {
    checkZipcode: (country_id: number, zipcode: string) => {
      calls.push(`${country_id}/${zipcode}`);
      const place = { state: "s", city_area: "c", state_code: "x" };
      return Promise.resolve({ data: codes.includes(zipcode) ? [place] : [] });
    },
    rates: () => {
      calls.push("rates");
      return Promise.resolve({ data: [] });
    },
    countries: () =>
      Promise.resolve([
        { country_id: 231, country_name: "United States", country_code: "US" },
        {
          country_id: 95,
          country_name: "Hong Kong",
          country_code: "HK",
          postal_code_optional: true,
        },
      ]),
  } as unknown as Api;
  return { api, calls };
}

describe("a quote", () => {
  test("checks the origin, then the destination, then asks for rates", async () => {
    const { api, calls } = apiWithCodes("560001", "110001");
    expect((await quote(api, domestic)).country_name).toBe("India");
    expect(calls).toEqual(["97/560001", "97/110001", "rates"]);
  });

  test("stops at the first place nobody serves", async () => {
    await expect(quote(apiWithCodes("110001").api, domestic)).rejects.toThrow(
      "Origin pincode is not serviceable.",
    );
    await expect(quote(apiWithCodes("560001").api, domestic)).rejects.toThrow(
      "Destination pincode is not serviceable.",
    );
    await expect(quote(apiWithCodes("560001").api, foreign)).rejects.toThrow(
      "Destination postal code is not serviceable for the selected country.",
    );
  });

  test("abroad checks the destination in its own country", async () => {
    const { api, calls } = apiWithCodes("560001", "110001");
    expect((await quote(api, foreign)).country_name).toBe("United States");
    expect(calls[1]).toBe("231/110001");
  });

  test("abroad needs a postal code only where there are any", async () => {
    const { api, calls } = apiWithCodes("560001", "");
    const coded = { ...foreign, destination_pincode: "" };
    await expect(quote(api, coded)).rejects.toMatchObject({
      errors: [{ path: "destination_pincode", message: "Enter the postal code" }],
    });
    const kowloon = { ...coded, destination_country: "95", city: "Kowloon" };
    await expect(quote(api, { ...kowloon, city: "" })).rejects.toMatchObject({
      errors: [{ path: "city", message: "Please enter the city." }],
    });
    calls.length = 1;
    await quote(api, kowloon);
    expect(rateRequest(kowloon).city).toBe("Kowloon");
    expect(calls.slice(1)).toEqual(["97/560001", "95/", "rates"]);
  });
});

test("a rate that lacks almost everything can still be drawn", async () => {
  const { api } = apiWithCodes("560001", "110001");
  const odd = { product_id: 7, product_name: null };
  const rates = () => Promise.resolve({ data: [odd] });
  const quoted = await quote({ ...api, rates } as unknown as Api, domestic);
  expect(quoted.notes).toEqual([]);
  expect(quoted.rates).toEqual([
    { product_id: 7, product_name: "N/A", parent_vendor: "", breakdown: { lines: [] } },
  ]);
  expect(rateMarks(quoted.rates)).toEqual([[]]);
});

describe("the marks", () => {
  const rate = (grand_total_with_gst: number, tat_days: number | null) =>
    ({
      product_name: `Service of ₹${grand_total_with_gst}`,
      grand_total_with_gst,
      tat_days,
    }) as RateOption;

  test("name the cheapest and, of the fastest, the cheaper", () => {
    expect(rateMarks([rate(100, 5), rate(200, 2), rate(300, 2), rate(50, null)])).toEqual([
      [],
      ["Fastest"],
      [],
      ["Cheapest"],
    ]);
    expect(rateMarks([rate(100, 1), rate(200, 2)])).toEqual([["Cheapest", "Fastest"], []]);
    expect(rateMarks([rate(100, 1)]), "one alone").toEqual([[]]);
    expect(rateMarks([])).toEqual([]);
  });

  test("the fastest come first when asked for, and those without a time last", () => {
    const rates = [rate(50, null), rate(100, 5), rate(200, 2), rate(300, 2)];
    const order = (first: "Cheapest" | "Fastest") =>
      sortRates(rates, first).map(({ rate, index }) => [index, rate.grand_total_with_gst]);
    expect(order("Cheapest").map(([index]) => index)).toEqual([0, 1, 2, 3]);
    expect(order("Fastest")).toEqual([
      [2, 200],
      [3, 300],
      [1, 100],
      [0, 50],
    ]);
  });
});
