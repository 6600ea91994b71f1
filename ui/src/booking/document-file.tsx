import { useEffect, useRef, useState } from "react";
import { useEarlyInput, useHydrated } from "../lib/hooks";
import { Button } from "../parts/button";
import { Field } from "../parts/field";
import { useWords } from "../words/words";
import { ACCEPTED, chosenFileProblem } from "./kyc";

export const fileLabel = (n: number) => ({ text: "Document {n} File", values: { n } });

/** A chosen file, and the address of its picture if it is one. */
type Chosen = { file: File; url: string | null };

/** The file of a document: chosen, or taken with the camera. It is shown before it is sent. */
export function DocumentFile({ n }: { n: number }) {
  const t = useWords();
  const hydrated = useHydrated();
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const problem = chosen === null ? null : chosenFileProblem(chosen.file);
  const read = () => {
    const file = input.current?.files?.[0];
    setChosen(file === undefined ? null : { file, url: pictureUrl(file) });
  };
  useEarlyInput(read);
  useEffect(
    () => () => {
      if (chosen?.url != null) URL.revokeObjectURL(chosen.url);
    },
    [chosen],
  );
  // The camera for this once: the same input chooses files, too.
  const takePhoto = () => {
    input.current?.setAttribute("capture", "environment");
    input.current?.click();
    input.current?.removeAttribute("capture");
  };
  return (
    <>
      <Field
        ref={input}
        name={`document_${n}`}
        label={fileLabel(n)}
        type="file"
        accept={ACCEPTED.join(",")}
        error={problem ?? undefined}
        onChange={read}
      />
      {hydrated && (
        <p className="camera">
          <Button onClick={takePhoto}>{t("Take a photo of document {n}", { n })}</Button>
        </p>
      )}
      {chosen !== null && problem === null && <Preview {...chosen} />}
    </>
  );
}

function Preview({ file, url }: Chosen) {
  const t = useWords();
  const size = Math.ceil(file.size / 1024);
  return (
    <figure className="document-preview">
      {url !== null && <img src={url} alt={t("The chosen document")} />}
      <figcaption className="quiet">{t("{name}, {size} kB", { name: file.name, size })}</figcaption>
    </figure>
  );
}

function pictureUrl(file: File): string | null {
  return file.type.startsWith("image/") ? URL.createObjectURL(file) : null;
}
