// Runs in a new isolate before the bundle. It removes globals that rendering does not need: memory
// outside of the heap, which the heap limit does not count (buffers, WebAssembly), control of the
// engine (Deno, gc), and results that differ between engines (Intl).
(() => {
  "use strict";
  const buffers = [
    "ArrayBuffer", "SharedArrayBuffer", "DataView", "BigInt64Array", "BigUint64Array",
    "Float16Array", "Float32Array", "Float64Array", "Int8Array", "Int16Array", "Int32Array",
    "Uint8Array", "Uint8ClampedArray", "Uint16Array", "Uint32Array",
  ];
  // Libraries read `ArrayBuffer.prototype` and use `instanceof` while they load, so the names stay.
  // The real constructors are not reachable in any other way.
  for (const name of buffers) {
    const stub = class {
      constructor() {
        throw new RangeError(`${name} is not available while rendering`);
      }
      static isView() {
        return false;
      }
    };
    Object.defineProperty(stub, "name", { value: name });
    Object.defineProperty(globalThis, name, {
      value: stub, writable: true, enumerable: false, configurable: true,
    });
  }
  const gone = [
    "Atomics", "Deno", "FinalizationRegistry", "Intl", "WeakRef", "WebAssembly", "__bootstrap",
    "gc", "queueMicrotask",
  ];
  for (const name of gone) delete globalThis[name];

  // V8 has a console that writes nowhere and quickjs has none.
  const quiet = () => undefined;
  globalThis.console = Object.freeze({
    assert: quiet, debug: quiet, error: quiet, info: quiet, log: quiet, trace: quiet, warn: quiet,
  });
})();
