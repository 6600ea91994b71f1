/**
 * One key for one attempt to book, kept until a clear answer came: a confirmation sent twice, also
 * after a reload, then charges once. Another body is another attempt and gets another key.
 */
const ENTRY = "booking_attempt";

type Attempt = { key: string; body: string };

export function keyFor(body: unknown, storage: Storage = sessionStorage): string {
  const print = fingerprint(JSON.stringify(body));
  const kept = read(storage);
  if (kept !== null && kept.body === print) return kept.key;
  const attempt: Attempt = { key: freshKey(), body: print };
  try {
    storage.setItem(ENTRY, JSON.stringify(attempt));
  } catch {
    // Storage is switched off: the key still guards against a repeated request in flight.
  }
  return attempt.key;
}

export function forgetKey(storage: Storage = sessionStorage) {
  try {
    storage.removeItem(ENTRY);
  } catch {
    return;
  }
}

function read(storage: Storage): Attempt | null {
  try {
    return JSON.parse(storage.getItem(ENTRY) ?? "null") as Attempt | null;
  } catch {
    return null;
  }
}

function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** FNV-1a, twice over: tells bodies apart without keeping names and addresses in storage. */
function fingerprint(text: string): string {
  let one = 0x811c9dc5;
  let two = 0x9dc5811c;
  for (let i = 0; i < text.length; i++) {
    one = Math.imul(one ^ text.charCodeAt(i), 0x01000193);
    two = Math.imul(two ^ text.charCodeAt(text.length - 1 - i), 0x01000193);
  }
  return `${(one >>> 0).toString(16)}-${(two >>> 0).toString(16)}-${text.length}`;
}
