import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Journeys in a real browser against the real binary, one after the other: two cores are few. */
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    include: ["ui/e2e/**/*.test.ts"],
    environment: "node",
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
