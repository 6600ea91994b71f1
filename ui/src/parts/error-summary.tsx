import type { MouseEvent } from "react";
import type { FieldProblem } from "../lib/api-error";
import { useWords, type UiText } from "../words/words";
import { ErrorBox } from "./feedback";

/** The labels of a form's fields, by name. */
export type Labels = Readonly<Record<string, UiText>>;

/** One sentence for all fields that are blank. */
export type BlankFields = {
  /** The sentence beside each of them. */
  beside: string;
  /** With their "{names}". */
  sentence: string;
};

type Props = {
  idPrefix: string;
  /** About the form as a whole; "" for nothing. */
  message: UiText;
  errors: readonly FieldProblem[];
  /** Of the fields that are linked, in the order of the form. */
  labels: Labels | undefined;
  blank: BlankFields | undefined;
};

/** All errors of a form, above it in the order of its fields, with links to them. */
export function ErrorSummary({ idPrefix, message, errors, labels, blank }: Props) {
  const t = useWords();
  const order = Object.keys(labels ?? {});
  const listed =
    labels === undefined
      ? []
      : [...errors].sort((one, other) => order.indexOf(one.path) - order.indexOf(other.path));
  const isListed = listed.some((error) => t(error.message) === t(message));
  if (message === "" && listed.length === 0) return null;
  const empty = listed.filter((error) => error.message === blank?.beside);
  const [before, after] = t(blank?.sentence ?? "", { names: SPLIT }).split(SPLIT);
  const link = ({ path }: FieldProblem, text: string) => (
    <a href={`#${idPrefix}-${path}`} onClick={followLink}>
      {text}
    </a>
  );
  const labelOf = ({ path }: FieldProblem) => {
    const label = labels?.[path];
    return label === undefined ? "" : t(label);
  };
  return (
    <ErrorBox>
      {message !== "" && !isListed && <p>{t(message)}</p>}
      {empty.length > 0 && (
        <p>
          {before}
          {empty.map((error, at) => (
            <span key={error.path}>
              {at === 0 ? "" : ", "}
              {link(error, labelOf(error))}
            </span>
          ))}
          {after}
        </p>
      )}
      {listed
        .filter((error) => !empty.includes(error))
        .map((error) => {
          const label = labelOf(error);
          const text = t(error.message);
          return <p key={error.path}>{label === "" ? text : link(error, `${label}: ${text}`)}</p>;
        })}
    </ErrorBox>
  );
}

const SPLIT = "\n";

function followLink(event: MouseEvent<HTMLAnchorElement>) {
  if (focusField(event.currentTarget.hash.slice(1))) event.preventDefault();
}

/** The field may lie in a part of the form that is folded away. */
export function focusField(id: string): boolean {
  const field = document.getElementById(id);
  field?.closest("details")?.setAttribute("open", "");
  field?.focus();
  return field !== null;
}
