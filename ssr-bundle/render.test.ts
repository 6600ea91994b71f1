import { readdirSync, readFileSync } from "node:fs";
import vm from "node:vm";
import { describe, expect, test } from "vitest";
import screens from "../ui/src/screens.json";

const here = new URL(".", import.meta.url);
const bundle = readFileSync(new URL("dist/ssr.js", here), "utf8");
const samples = readdirSync(new URL("samples", here)).map((name) => name.replace(".json", ""));
const read = (name: string) => readFileSync(new URL(`samples/${name}.json`, here), "utf8");

/** An engine as bare as quickjs: the language, and nothing of a browser or of Node. */
function bareEngine(): (json: string) => string {
  const context = vm.createContext({});
  const absent = "console Intl WebAssembly SharedArrayBuffer Atomics".split(" ");
  vm.runInContext(absent.map((name) => `delete globalThis.${name}`).join(";"), context);
  vm.runInContext("Date.now = Math.random = () => { throw new Error('unsteady') }", context);
  vm.runInContext(bundle, context);
  return vm.runInContext("render", context) as (json: string) => string;
}

const render = bareEngine();

function html(name: string): string {
  const answer = render(read(name));
  expect(answer.slice(0, 1), answer.slice(0, 300)).toBe("+");
  return answer.slice(1);
}

describe.each(samples)("the page %s", (name) => {
  const page = html(name);

  test("has one heading, one main part and a footer", () => {
    expect(page.match(/<h1/g)).toHaveLength(1);
    expect(page.match(/<main/g)).toHaveLength(1);
    expect(page).toContain("Shipping Policy</a>");
  });

  test("has nothing inline that the content security policy refuses", () => {
    expect(page).not.toMatch(/<[^>]* style=/);
    expect(page).not.toMatch(/<[^>]* on[a-z]+=/i);
    expect(page).not.toMatch(/<script|javascript:/i);
  });

  test("labels every control", () => {
    const controls = page.match(/<(?:input|select)[^>]*>/g) ?? [];
    for (const control of controls) {
      if (/type="(?:hidden|radio)"/.test(control)) continue;
      const id = / id="([^"]+)"/.exec(control)?.[1];
      expect(page, control).toContain(`for="${id}"`);
    }
  });

  test("uses every id once", () => {
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("says that this is the sandbox", () => expect(page).toContain("<strong>Sandbox</strong>"));

  test("is the same to the byte each time and in another engine", () => {
    expect(html(name)).toBe(page);
    expect(bareEngine()(read(name))).toBe(`+${page}`);
  });
});

/** Laws and names of documents stay in English. */
const POLICIES = ["privacy", "refund", "shipping", "terms"];

const inHindi = samples.filter((name) => !POLICIES.includes(sampleOf(name).screen));

describe.each(inHindi)("the page %s in Hindi", (name) => {
  const sample = sampleOf(name);
  const answer = render(JSON.stringify({ ...sample, language: "hi" }));

  test("says in Hindi all that is not a name, a number or somebody's own words", () => {
    expect(answer.slice(0, 1), answer.slice(0, 300)).toBe("+");
    const own = new Set([...leaves(sample), ...NAMES].join(" ").match(/[A-Za-z]{2,}/g));
    const heard = spoken(answer).flatMap((text) => text.match(/[A-Za-z]{2,}/g) ?? []);
    expect([...new Set(heard)].filter((word) => !own.has(word))).toEqual([]);
  });

  test("leads back to English", () => {
    expect(answer).toMatch(/<form action="\/language"[^>]*>.*<button[^>]*value="en"[^>]*>English</);
  });
});

type Sample = { screen: string };

function sampleOf(name: string): Sample {
  return JSON.parse(read(name)) as Sample;
}

/** Every text of a page's data. */
function leaves(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [];
}

/** What is seen or read out: texts, and the attributes that stand for them. */
function spoken(html: string): string[] {
  const attributes = html.matchAll(/ (?:aria-label|placeholder|title|alt)="([^"]*)"/g);
  const texts = html.replace(/<[^>]*>/g, "\n").replace(/&[a-z]+;|&#\d+;/g, " ");
  return [texts, ...[...attributes].map(([, text = ""]) => text)];
}

/** Names and terms of the trade that are the same in every language. */
const NAMES = [
  ..."Dakiya English AWB GST GSTIN CGST SGST IGST KYC OTP MSME ID TAN HSN IEC UT".split(" "),
  ..."PhonePe UPI WhatsApp CSV PDF JPEG PNG MB INR USD EUR India DK kg cm".split(" "),
];

test("every screen has a sample", () => {
  const drawn = new Set(samples.map((name) => sampleOf(name).screen));
  expect([...drawn].sort()).toEqual(screens.map((entry) => entry.screen).sort());
});

test("what a customer typed is escaped", () => {
  expect(html("login-refused")).toContain('value="asha&quot;&gt;&lt;b&gt;"');
  expect(html("dashboard")).toContain("&lt;Wholesale&gt;");
});

test("a booking that was begun is in the page before any script", () => {
  const page = html("courier-resume");
  expect(page).toContain("Step 2 of 4");
  expect(page).toMatch(/<input[^>]*name="consignee_name"[^>]*value="Ravi &lt;Kumar&gt;"/);
  expect(page).toMatch(/<input[^>]*name="pickup_name"[^>]*value="Meera Rao"/);
});

test("the address book works by plain forms, and marks what fits elsewhere", () => {
  const book = html("addresses");
  expect(book).toContain('action="/addresses/rename" method="post"');
  expect(book).toContain('name="id" value="p1"');
  expect(book).toContain('action="/addresses/p1/delete" method="post"');
  const wizard = html("courier-resume");
  expect(wizard).toContain("Meera Iyer, Pune (for 411004: change it in step 1)</option>");
  expect(wizard).toContain('name="save-consignor" checked=""');
  expect(wizard).toContain('name="save-consignee"/>');
});

test("a refused form names its wrong fields to screen readers", () => {
  const page = html("register-refused");
  expect(page).toMatch(/<input[^>]*id="register-username"[^>]*aria-invalid="true"/);
  expect(page).toMatch(/aria-describedby="register-username-error"/);
  expect(page).toContain('<p class="field-error" id="register-username-error">');
  expect(page).toContain("This username is taken.");
});

test("forms work without JavaScript", () => {
  expect(html("login")).toContain('action="/login" method="post"');
  expect(html("login")).toContain('type="hidden" name="next" value="/courier"');
  expect(html("register")).toContain('action="/register" method="post"');
  expect(html("recharge")).toContain('action="/recharge" method="post"');
  expect(html("recharge")).toMatch(/<button class="[^"]*button-wide" type="submit"><span>Recharge/);
  expect(html("track")).toContain('action="/track" method="get"');
  expect(html("calculate")).toContain('action="/calculate" method="get"');
  expect(html("dashboard")).toContain('href="/dashboard?tab=bookings"');
  expect(html("dashboard-bookings")).toContain('href="/dashboard?tab=bookings&amp;page=3"');
});

test("a courier's proof is a link only when it leads to the web", () => {
  const web = "https://courier.example.in/scale/77.jpg";
  expect(html("weight-differences")).toContain(`<a href="${web}" target="_blank" rel="noopener">`);
  expect(html("weight-differences")).toContain("<dd>Depot Whitefield, sheet 77</dd>");
  const script = render(read("weight-differences").replaceAll(web, "javascript:alert(1)"));
  expect(script).toContain("<dd>javascript:alert(1)</dd>");
});

test("guests see no menus and members see theirs", () => {
  expect(html("login")).not.toContain('aria-label="Main"');
  expect(html("track")).toContain('href="/login">Login</a>');
  const page = html("dashboard");
  expect(page).toContain("Asha Rao");
  expect(page).toContain("Balance: ₹4,218.50");
  expect(page).toMatch(
    /<a href="\/dashboard" aria-current="page"><svg class="icon".*?<\/svg>Dashboard<\/a>/,
  );
});

test("a chart has its values, once there are two months of them", () => {
  expect(html("dashboard")).toContain("₹1.9k</text>");
  const months = /"months": \[.*?\]/s;
  const one = `"months": [${JSON.stringify({ month: "2026-09", bookings: 5, amount: 1544 })}]`;
  expect(render(read("dashboard").replace(months, one))).not.toContain("Last 6 months");
});

test("a page that cannot be drawn says why and leaves the engine usable", () => {
  expect(render("{")).toMatch(/^!/);
  expect(render('{"screen":"dashboard"}')).toMatch(/^!/);
  expect(render(read("login"))).toMatch(/^\+/);
});
