/**
 * What the browser's bundle is built with in React's place. Preact follows React's interface in a
 * sixth of its bytes, which decides when a page on a slow phone answers a tap. The server draws
 * with React, whose renderer is the faster one there; that both draw the same is looked at on every
 * page of the journeys (`e2e/harness/audit.ts`).
 */
export const preact = {
  "react/jsx-runtime": "preact/jsx-runtime",
  "react-dom/client": "preact/compat/client",
  react: "preact/compat",
};
