import { describe, expect, test, vi } from "vitest";
import cases from "../../../server/tests/local_paths.json";
import { loadInstead, localPath, nextIn } from "./local-path";

const ORIGIN = "https://dakiya.example";
const CASES = cases as [string, boolean][];

describe("an address to go on to", () => {
  test("is taken if it is a path of this site, and no other is", () => {
    expect(CASES.length).toBeGreaterThan(60);
    for (const [text, isLocal] of CASES) {
      expect(localPath(text), JSON.stringify(text)).toBe(isLocal ? text : null);
    }
    expect(localPath(null)).toBeNull();
    expect(localPath(undefined)).toBeNull();
  });

  test("leads to this site as browsers read it, and so does what they make of it", () => {
    for (const [text] of CASES.filter(([, isLocal]) => isLocal)) {
      const url = new URL(text, ORIGIN);
      expect(url.origin, text).toBe(ORIGIN);
      expect(new URL(url.pathname + url.search, ORIGIN).origin, text).toBe(ORIGIN);
    }
  });

  test("is the last one of a query, as the server reads it", () => {
    expect(nextIn(new URLSearchParams("next=/recharge&next=/courier"))).toBe("/courier");
    expect(nextIn(new URLSearchParams("next=/recharge&next=/%09/evil.example"))).toBeNull();
    expect(nextIn(new URLSearchParams("amount=5"))).toBeNull();
  });

  test("is not loaded from another site, whatever the page says", () => {
    const replace = vi.fn();
    vi.stubGlobal("window", { location: { origin: ORIGIN, replace } });
    const others = ["//evil.example", "/\t/evil.example", "/\\evil.example", "javascript:a", "//["];
    for (const path of others) loadInstead(path);
    expect(replace).not.toHaveBeenCalled();
    loadInstead("/courier?a=1");
    expect(replace).toHaveBeenCalledWith("/courier?a=1");
    vi.unstubAllGlobals();
  });
});
