import { attempt } from "../lib/storage";
import type { DraftContent } from "../wire";

/** Changes to a draft that the server does not have yet: kept on this device until it has. */
export type UnsavedDraft = {
  username: string;
  /** The server's revision that these changes build on; of what is `saved`, its own. */
  revision: number;
  /** The server has them, but the page may have been drawn from what it had before. */
  saved?: boolean;
  content: DraftContent | null;
  /** Canonical JSON of earlier changes that were sent: the server may have one of them by now. */
  doubtful: readonly string[];
};

/** The entry in the browser's storage. */
export const UNSAVED = "booking_draft";

export function keepUnsaved(unsaved: UnsavedDraft, storage?: Storage) {
  attempt(() => (storage ?? localStorage).setItem(UNSAVED, JSON.stringify(unsaved)));
}

/** This user's changes. Another user's are removed unseen. */
export function loadUnsaved(username: string, storage?: Storage): UnsavedDraft | null {
  return attempt(() => {
    const text = (storage ?? localStorage).getItem(UNSAVED);
    if (text === null) return null;
    const unsaved = JSON.parse(text) as UnsavedDraft;
    if (!Array.isArray(unsaved.doubtful)) unsaved.doubtful = [];
    if (unsaved.username === username) return unsaved;
    forgetUnsaved(storage);
    return null;
  });
}

export function forgetUnsaved(storage?: Storage) {
  attempt(() => (storage ?? localStorage).removeItem(UNSAVED));
}
