import { KYC_PHOTO_SIDE_PX } from "../lib/limits";
import { KYC_FILE_BYTES_MAX } from "../wire";

const QUALITIES = [0.85, 0.7, 0.5];

/**
 * A photo that is larger than a KYC file may be, shrunk on the device until it fits: it also saves
 * the customer minutes on a slow network. Anything else comes back as it is.
 */
export async function shrinkToFit(file: File): Promise<File> {
  if (file.size <= KYC_FILE_BYTES_MAX || !file.type.startsWith("image/")) return file;
  const photo = await createImageBitmap(file).catch(() => null);
  if (photo === null) return file;
  const scale = Math.min(1, KYC_PHOTO_SIDE_PX / Math.max(photo.width, photo.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(photo.width * scale);
  canvas.height = Math.round(photo.height * scale);
  drawOnPaper(canvas, photo);
  for (const quality of QUALITIES) {
    const shrunk = await jpeg(canvas, quality);
    if (shrunk !== null && shrunk.size <= KYC_FILE_BYTES_MAX) {
      return new File([shrunk], file.name.replace(/\.\w+$/, "") + ".jpg", { type: "image/jpeg" });
    }
  }
  return file;
}

/** JPEG has no transparency and would turn it black: it becomes white, as on the server. */
function drawOnPaper(canvas: HTMLCanvasElement, photo: ImageBitmap) {
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(photo, 0, 0, canvas.width, canvas.height);
}

function jpeg(canvas: HTMLCanvasElement, quality: number): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
}
