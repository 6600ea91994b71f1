import { expect, test } from "vitest";
import files from "../../../server/tests/upload_files.json";
import { englishWords } from "../words/words";
import { chosenFileProblem, documentNumber, kycErrors } from "./kyc";

/**
 * A type, the first bytes, the size, the sentence of a refusal, and who refuses it: the browser
 * judges by the type, the server by the content. The server's tests read the same file.
 */
const FILES = files as [string, string, number, string | null, string][];

const good = new File(["x"], "pan.png", { type: "image/png" });
type Values = Record<string, string | File>;
const form = (changes: Values = {}): FormData => {
  const body = new FormData();
  const values: Values = {
    organization_id: "1",
    document_1_id: "1",
    document_1: good,
    document_2_id: "2",
    document_2: good,
    ...changes,
  };
  for (const [name, value] of Object.entries(values)) body.set(name, value);
  return body;
};
const sentences = (changes: Values) =>
  kycErrors(form(changes)).map(({ message }) => englishWords(message));

test("a whole KYC form is accepted", () => expect(kycErrors(form())).toEqual([]));

test("an empty KYC form says everything that is missing", () => {
  expect(
    sentences({
      organization_id: "",
      document_1_id: "",
      document_1: new File([], ""),
      document_2_id: "",
      document_2: new File([], ""),
    }),
  ).toEqual([
    "Organization is required",
    "Document 1 type is required",
    "Document 1 file is required",
    "Document 2 type is required",
    "Document 2 file is required",
  ]);
});

test("a file of another kind or above two megabytes is refused", () => {
  const text = new File(["x"], "a.txt", { type: "text/plain" });
  const large = new File([new Uint8Array(2 * 1024 * 1024 + 1)], "a.pdf", {
    type: "application/pdf",
  });
  expect(sentences({ document_1: text })).toEqual(["Only JPEG, PNG, and PDF files are allowed"]);
  expect(sentences({ document_2: large })).toEqual(["File size must be less than 2MB"]);
});

test("size and kind are judged as the shared list says", () => {
  for (const [type, head, size, sentence, refusedBy] of FILES) {
    const bytes = new Uint8Array(size);
    bytes.set((head.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)));
    const told = sentences({ document_1: new File([bytes], "a", { type }) });
    const isRefused = ["both", "browser"].includes(refusedBy);
    expect(told, `${type} ${head} ${size}`).toEqual(isRefused ? [sentence] : []);
  }
});

test("a wrong file is named when it is chosen, and a photo is not, as it is shrunk", () => {
  const chosen = (size: number, type: string) =>
    chosenFileProblem(new File([new Uint8Array(size)], "a", { type }));
  const [small, large] = [1, 2 * 1024 * 1024 + 1];
  expect(chosen(small, "text/plain")).toBe("Only JPEG, PNG, and PDF files are allowed");
  expect(chosen(small, "image/heic")).toBe("Only JPEG, PNG, and PDF files are allowed");
  expect(chosen(large, "application/pdf")).toBe("File size must be less than 2MB");
  expect([chosen(large, "image/jpeg"), chosen(small, "application/pdf")]).toEqual([null, null]);
});

test("a document chosen from all of them is one of its organisation only", () => {
  expect(documentNumber("2", "2.8")).toBe("8");
  expect(documentNumber("1", "2.8")).toBe("");
  expect(documentNumber("1", "7")).toBe("7");
});
