/**
 * What React and React Router look for and a bare engine (V8 without browser APIs, quickjs) does
 * not have. Nothing here ticks: a render is one synchronous call.
 */
import "url-search-params-polyfill";

const scope = globalThis as Record<string, unknown>;

const ignore = () => undefined;

/** For what is made while the bundle loads, and is never used by a synchronous render. */
class Unused {
  port1 = {};
  port2 = {};

  encode() {
    return [];
  }
}

scope["console"] ??= { log: ignore, info: ignore, warn: ignore, error: ignore, debug: ignore };
scope["performance"] ??= { now: () => 0 };
scope["setTimeout"] ??= () => 0;
scope["clearTimeout"] ??= ignore;
scope["queueMicrotask"] ??= ignore;
scope["MessageChannel"] ??= Unused;
scope["TextEncoder"] ??= Unused;
scope["URL"] ??= Unused;
