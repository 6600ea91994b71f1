/**
 * What JSX becomes in the server's bundle: elements with what React's renderer reads of them. Its
 * own functions look into the properties of each for a key, which never stands among ours, and for
 * a ref, which a server does not need. That took a fifteenth of a page's time.
 */
const ELEMENT = Symbol.for("react.transitional.element");

export function jsx(type: unknown, props: object, key?: string | number) {
  return { $$typeof: ELEMENT, type, key: key === undefined ? null : String(key), props };
}

export { Fragment } from "react";
export { jsx as jsxs };
