import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What measures times needs the machine for itself. */
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

const shared = {
  environment: "node",
  // The browser's driver and axe take two seconds to load: a worker's files share them.
  isolate: false,
  // States are looked at in every size and by day and night, on machines that may be busy.
  testTimeout: 180_000,
  hookTimeout: 60_000,
  // Many minutes of browsers on a busy machine: one stumble is told in the summary of
  // `build.sh test`, with what the browser showed in artefacts; two of the same journey fail it.
  retry: 1,
  expect: { poll: { timeout: 10_000 } },
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
          // A browser waits as much as it works: four keep two cores busy.
          maxWorkers: 2 * availableParallelism(),
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
