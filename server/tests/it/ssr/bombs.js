// A bundle for tests: greets, or does the harm that its page asks for.
(() => {
  const kept = [];
  const acts = {
    greet: ({ name }) => `+<p>Hello ${name}</p>`,
    caught: () => "!it was caught",

    throw() { throw new Error("secret page data"); },
    throwNothing() { throw undefined; },
    throwTrap() { throw { toString() { for (;;); }, get message() { for (;;); } }; },
    answerNothing: () => undefined,

    // Harm that a page can do to the next one, and traces it may find.
    global() {
      const seen = typeof globalThis.left;
      try { globalThis.left = "behind"; } catch { /* frozen */ }
      return `+${seen}`;
    },
    powers() {
      const names = [
        "Deno", "process", "require", "fetch", "XMLHttpRequest", "WebSocket", "WebAssembly",
        "Worker", "setTimeout", "setInterval", "load", "read", "print", "quit", "gc", "std", "os",
        "navigator", "__bootstrap", "__load", "__next", "__rendered", "__threw",
      ];
      return `+${names.filter((name) => name in globalThis).join(" ")}`;
    },

    loop() { for (;;); },
    loopInCatch() {
      for (;;) { try { for (;;); } catch { /* goes on */ } finally { acts.loop(); } }
    },
    regexp: () => /^(\w+\s?)+$/.test(`${"aaaa ".repeat(40)}!`),

    arrays() { const all = []; for (;;) all.push(new Array(1000).fill(all.length)); },
    oneArray() { return new Array(2 ** 27).fill(0).map(String).join(""); },
    objects() { const all = {}; for (let i = 0; ; i++) all[`key${i}`] = { i }; },
    strings() { const all = []; for (let i = 0; ; i++) all.push(`${i}`.repeat(10000) + i); },
    oneString() {
      const all = [];
      for (;;) { const s = "x".repeat(2 ** 28); all.push(s, s.indexOf("y")); }
    },
    map() { const all = new Map(); for (let i = 0; ; i++) all.set(i, [i]); },
    buffers() { const all = []; for (;;) all.push(new ArrayBuffer(2 ** 26)); },
    typedArrays() { const all = []; for (;;) all.push(new Uint8Array(2 ** 24).fill(1)); },
    recursion() { return acts.recursion() + 1; },
    json() { let s = "[1]"; for (;;) s = JSON.stringify(JSON.parse(`[${s},${s}]`)); },
    closures() { const all = []; for (let i = 0; ; i++) all.push(() => [i, all]); },
    bigint() { let n = 3n; for (;;) n *= n; },
    regexpSource() { return new RegExp("(?:a|b)".repeat(1e6)).test("ab".repeat(1e6)); },

    // Leaks a little with every page, as a bundle with a forgotten cache would.
    leak() { kept.push(new Array(25000).fill(kept.length)); return "+<p>leaked</p>"; },
    // A native loop that V8 does not interrupt; it ends by itself.
    deaf({ steps }) { return `+${Array.prototype.lastIndexOf.call({ length: steps }, 1)}`; },
  };
  globalThis.render = (json) => {
    const page = JSON.parse(json);
    return acts[page.act](page);
  };
})();
