/**
 * The little that react-dom/server looks for and a bare engine (V8 without browser APIs, quickjs)
 * has not. Nothing here ticks: a render is one synchronous call.
 */
const scope = globalThis as Record<string, unknown>;

const ignore = () => undefined;

scope["console"] ??= { log: ignore, info: ignore, warn: ignore, error: ignore, debug: ignore };
scope["performance"] ??= { now: () => 0 };
scope["setTimeout"] ??= () => 0;
scope["clearTimeout"] ??= ignore;
scope["queueMicrotask"] ??= ignore;

export {};
