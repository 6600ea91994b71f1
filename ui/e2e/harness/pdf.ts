import { execFileSync } from "node:child_process";
import { LOOKS, type Visitor } from "./visitor";

/** Follows a link to a file; answers its name and where it was put. */
export async function downloads(visitor: Visitor, link: string) {
  const downloading = visitor.page.waitForEvent("download");
  await visitor.follows(link);
  const download = await downloading;
  return { name: download.suggestedFilename(), path: await download.path() };
}

/** The text of a PDF, as poppler reads it. */
export function pdfText(path: string): string {
  return execFileSync("pdftotext", ["-layout", path, "-"], { encoding: "utf8" });
}

/** Keeps a picture of the PDF's first page beside the screens, where there is time for pictures. */
export function photographPdf(path: string, name: string) {
  if (!LOOKS) return;
  const to = `artefacts/screens/${name}`;
  execFileSync("pdftoppm", ["-r", "80", "-f", "1", "-l", "1", "-png", "-singlefile", path, to]);
}
