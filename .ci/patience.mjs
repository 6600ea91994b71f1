// Prints how many times slower than the machine on which the tests' limits were chosen this one is
// just now, from 1 to 10: a fixed piece of work on all cores at once, as tests use them.
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker } from "node:worker_threads";

/** Time for it on two cores of an AMD EPYC (milliseconds). */
const CHOSEN_ON_MS = 450;

/** Arithmetic whose result is used, so that no compiler leaves it out. */
function work() {
  let state = 1;
  for (let step = 0; step < 150_000_000; step += 1) {
    state = Math.imul(state ^ (state >>> 15), 73) + 1;
  }
  return state;
}

if (isMainThread) {
  const began = performance.now();
  const file = new URL(import.meta.url);
  const workers = Array.from({ length: availableParallelism() }, () => new Worker(file));
  await Promise.all(workers.map((worker) => once(worker, "message")));
  const slower = (performance.now() - began) / CHOSEN_ON_MS;
  console.log(Math.min(10, Math.max(1, Math.round(slower))));
} else {
  parentPort.postMessage(work());
}
