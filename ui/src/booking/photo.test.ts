import { afterEach, expect, test, vi } from "vitest";
import { KYC_FILE_BYTES_MAX } from "../wire";
import { shrinkToFit } from "./photo";

afterEach(() => vi.unstubAllGlobals());

/** Pretends to be a browser with a canvas, and returns the record of what is drawn on it. */
function watchCanvas(): unknown[] {
  const drawn: unknown[] = [];
  const context = {
    fillStyle: "",
    fillRect(...box: number[]) {
      drawn.push([this.fillStyle, ...box]);
    },
    drawImage(photo: unknown, ...box: number[]) {
      drawn.push([photo, ...box]);
    },
  };
  const canvas = {
    getContext: () => context,
    toBlob: (done: (blob: Blob) => void) => {
      done(new Blob(["small"], { type: "image/jpeg" }));
    },
  };
  vi.stubGlobal("createImageBitmap", () => Promise.resolve({ width: 40, height: 20 }));
  vi.stubGlobal("document", { createElement: () => ({ ...canvas }) });
  return drawn;
}

test("a photo that is shrunk is drawn on white ground, for its transparent parts", async () => {
  const drawn = watchCanvas();
  const large = new File([new Uint8Array(KYC_FILE_BYTES_MAX + 1)], "pan.png", {
    type: "image/png",
  });
  const shrunk = await shrinkToFit(large);
  expect([shrunk.name, shrunk.type, shrunk.size]).toEqual(["pan.jpg", "image/jpeg", 5]);
  expect(drawn).toEqual([
    ["#fff", 0, 0, 40, 20],
    [{ width: 40, height: 20 }, 0, 0, 40, 20],
  ]);
});

test("a photo that fits stays as it is", async () => {
  const small = new File(["x"], "pan.png", { type: "image/png" });
  expect(await shrinkToFit(small)).toBe(small);
});
