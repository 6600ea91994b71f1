type Listeners = Readonly<Record<string, (event: never) => void>>;

/** Listens to several events of a target, until the function that it returns is called. */
export function listen(target: EventTarget, listeners: Listeners): () => void {
  const entries = Object.entries(listeners) as [string, EventListener][];
  for (const [name, listener] of entries) target.addEventListener(name, listener);
  return () => {
    for (const [name, listener] of entries) target.removeEventListener(name, listener);
  };
}
