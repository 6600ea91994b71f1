import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Journeys in a real browser against the real binary, one after the other: two cores are few. */
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    include: ["ui/e2e/**/*.test.ts"],
    environment: "node",
    fileParallelism: false,
    // States are looked at in every size and by day and night, on machines that may be busy.
    testTimeout: 180_000,
    hookTimeout: 60_000,
    // An hour of browsers on a busy machine: one stumble is told in the summary of `build.sh test`,
    // with what the browser showed in artefacts, and two of the same journey fail it.
    retry: 1,
    expect: { poll: { timeout: 10_000 } },
  },
});
