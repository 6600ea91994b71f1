/** This machine may be so many times slower than the one on which times were chosen. */
const SLOWER = Number(process.env["DAKIYA_TEST_PATIENCE"]);

/** A limit that only keeps a test from hanging for ever (milliseconds). */
export const scaleMs = (ms: number) => ms * SLOWER;

/** Answers what is there at last; a server needs a moment for what it does after an answer. */
export async function eventually<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + scaleMs(60_000);
  for (;;) {
    const found = await ask();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`in vain: ${what}`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
