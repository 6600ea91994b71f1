import type { Attempt } from "../wire";

/**
 * The last attempt, when it was for this body; else a fresh one. One key for one attempt to book,
 * kept with the draft until a clear answer came: a confirmation sent twice, also after a reload,
 * then charges once.
 */
export function attemptFor(body: unknown, last: Attempt | null): Attempt {
  const print = fingerprint(JSON.stringify(body));
  return last?.body === print ? last : { key: newKey(), body: print };
}

/** A random name, for an attempt or a draft. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * FNV-1a from both ends: tells bodies apart without keeping another copy of names and addresses.
 */
export function fingerprint(text: string): string {
  let one = 0x811c9dc5;
  let two = 0x9dc5811c;
  for (let i = 0; i < text.length; i++) {
    one = Math.imul(one ^ text.charCodeAt(i), 0x01000193);
    two = Math.imul(two ^ text.charCodeAt(text.length - 1 - i), 0x01000193);
  }
  return `${(one >>> 0).toString(16)}-${(two >>> 0).toString(16)}-${text.length}`;
}
