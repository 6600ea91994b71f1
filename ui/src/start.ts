/**
 * Waits for the first paint: no script is run before somebody can read the page. A page in the
 * background is not painted, and nobody waits for it.
 */
function whenPainted(): Promise<void> {
  return new Promise((resolve) => {
    const tells = PerformanceObserver.supportedEntryTypes.includes("paint");
    if (document.hidden || !tells) resolve();
    else new PerformanceObserver(() => resolve()).observe({ type: "paint", buffered: true });
  });
}

void whenPainted().then(() => import("./client"));
