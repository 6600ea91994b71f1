// Runs in a new isolate before the bundle. Rendering needs none of what is taken away here: it is
// memory outside of the heap that the heap limit does not see (buffers, WebAssembly), power over
// the engine (Deno, gc), or an answer that differs from engine to engine (Intl).
(() => {
  "use strict";
  const buffers = [
    "ArrayBuffer", "SharedArrayBuffer", "DataView", "BigInt64Array", "BigUint64Array",
    "Float16Array", "Float32Array", "Float64Array", "Int8Array", "Int16Array", "Int32Array",
    "Uint8Array", "Uint8ClampedArray", "Uint16Array", "Uint32Array",
  ];
  // Libraries look at `ArrayBuffer.prototype` and ask `instanceof` while they load, so the names
  // stay. The real constructors cannot be reached from anywhere else.
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
