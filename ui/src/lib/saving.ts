/** The last change that was sent without anybody waiting for it, until it is answered. */
let saving: Promise<void> = Promise.resolve();

export function isSaving(until: Promise<void>) {
  saving = until;
}

/** Waits until the server has what this page sent: what is loaded then is the newest. */
export function waitUntilSaved(): Promise<void> {
  return saving;
}
