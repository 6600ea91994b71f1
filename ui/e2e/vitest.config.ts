import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests that measure times need the machine for themselves. */
const MEASURED = ["ui/e2e/slow.test.ts"];

/** Takes the longest: begun last, they would run when all others have ended. */
const LONGEST = ["screens.test.ts", "words.test.ts", "wizard.test.ts"];

/** Vitest knows how long files take only where they ran before. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) =>
      LONGEST.some((name) => moduleId.endsWith(`/${name}`));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/**
 * This machine may be so many times slower than the one on which times were chosen: measured by
 * `./build.sh test`, and generous where it was not. Workers read it too.
 */
const SLOWER = Number((process.env["DAKIYA_TEST_PATIENCE"] ??= "3"));

const shared = {
  environment: "node",
  // The browser's driver and axe take two seconds to load: a worker's files share them.
  isolate: false,
  // Against hanging only: what takes long on a busy machine is no fault.
  testTimeout: 600_000 * SLOWER,
  hookTimeout: 120_000 * SLOWER,
  expect: { poll: { timeout: 30_000 * SLOWER } },
};

/**
 * Journeys in a real browser against the real binary. Every worker has a browser and every file a
 * server, so files run side by side; those that measure run after them, one by one.
 */
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...shared,
          name: "journeys",
          include: ["ui/e2e/**/*.test.ts"],
          exclude: MEASURED,
          // While one waits for a timer the others keep all cores busy.
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: "measured",
          include: MEASURED,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
