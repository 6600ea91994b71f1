import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/**
 * Forms that ask for a page, by where they lead: what they say may stand in an address. All others
 * post, as names, numbers and codes do not belong into addresses, histories and logs.
 */
const ASKING = [
  "/addresses",
  "/bookings",
  "/calculate",
  "/dashboard",
  "/recharge",
  "/recharge/callback",
  "/track",
  "{action}",
];

const forms = readdirSync("ui/src", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".tsx"))
  .flatMap((name) =>
    [...readFileSync(`ui/src/${name}`, "utf8").matchAll(/<form\b(?:[^>]|=>)*>/gi)].map(([tag]) => ({
      name,
      tag,
    })),
  );

/** A `Form` posts unless it says something else. */
const methodOf = (tag: string) =>
  attribute(tag, "method") || (tag.startsWith("<Form") ? "post" : "");

const attribute = (tag: string, name: string) =>
  new RegExp(`\\b${name}=(?:"([^"]*)"|(\\{(?:[^{}]|\\{[^}]*\\})*\\}))`)
    .exec(tag)
    ?.slice(1)
    .join("") ?? "";

test("every form says how and where it is sent, so that it works without a script", () => {
  expect(forms.length).toBeGreaterThan(20);
  const silent = forms.filter(({ tag }) => methodOf(tag) === "" || attribute(tag, "action") === "");
  expect(silent).toEqual([]);
});

test("only what asks for a page stands in an address", () => {
  const inAddress = forms.filter(({ tag }) => methodOf(tag) === "get");
  expect(inAddress.filter(({ tag }) => !ASKING.includes(attribute(tag, "action")))).toEqual([]);
});
