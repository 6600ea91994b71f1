/**
 * The little that react-dom/server and react-router look for and a bare engine (V8 without browser
 * APIs, quickjs) has not. Nothing here ticks: a render is one synchronous call.
 */
const scope = globalThis as Record<string, unknown>;

const ignore = () => undefined;

scope["console"] ??= { log: ignore, info: ignore, warn: ignore, error: ignore, debug: ignore };
scope["performance"] ??= { now: () => 0 };
scope["setTimeout"] ??= () => 0;
scope["clearTimeout"] ??= ignore;
scope["queueMicrotask"] ??= ignore;
// react-router reads the parts of one constant address while it loads, and none afterwards.
scope["URL"] ??= class {
  readonly origin: string;
  readonly protocol: string;
  readonly host: string;
  constructor(readonly href: string) {
    const [protocol = "", , host = ""] = href.split("/");
    this.protocol = protocol;
    this.host = host;
    this.origin = `${protocol}//${host}`;
  }
};

export {};
