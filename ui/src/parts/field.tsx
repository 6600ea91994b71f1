import { createContext, useContext, useState, type ComponentProps, type ReactNode } from "react";
import { fieldErrorSentence, type FieldProblem } from "../lib/api-error";
import { useHydrated } from "../lib/hooks";
import type { FormState } from "../wire";
import { useWords, type UiText } from "../words/words";
import { ErrorSummary, type BlankFields, type Labels } from "./error-summary";

type FormFields = { idPrefix: string; errors: readonly FieldProblem[] };

const NO_ERRORS: readonly FieldProblem[] = [];

/** The form around a field. */
export const FormContext = createContext<FormFields>({ idPrefix: "", errors: NO_ERRORS });

type FormProps = ComponentProps<"form"> & {
  /** Begins the ids of its fields, which are the same on server and browser. */
  idPrefix: string;
  action: string;
  /** The server's refusal of the plain form. */
  refused?: FormState | null;
  /** Shown at the fields that they name. */
  errors?: readonly FieldProblem[] | undefined;
  /** Shown above the fields; "" for nothing. */
  message?: UiText | undefined;
  /** Labels of fields: with them, errors are listed above the form too. */
  labels?: Labels | undefined;
  /** One sentence for those that are blank. */
  blank?: BlankFields | undefined;
};

/** A form that posts, also without a script, unless another method is given. */
export function Form({ idPrefix, action, refused, children, ...props }: FormProps) {
  const {
    errors = refused?.errors ?? NO_ERRORS,
    message = refused?.message ?? "",
    labels,
    blank,
    ...rest
  } = props;
  return (
    <form className="form" method="post" action={action} {...rest}>
      <ErrorSummary {...{ idPrefix, message, errors, labels, blank }} />
      <FormContext value={{ idPrefix, errors }}>{children}</FormContext>
    </form>
  );
}

type HiddenProps = { values: Readonly<Record<string, string | number | null | undefined>> };

/** Values that a form sends besides its fields; null and undefined are left out. */
export function HiddenInputs({ values }: HiddenProps) {
  return Object.entries(values)
    .filter(([, value]) => value != null)
    .map(([name, value]) => <input key={name} type="hidden" name={name} value={value ?? ""} />);
}

/** A field's id, and its error: its own, else the one that its form has for it. */
export function useField(name: string, error?: UiText) {
  const { idPrefix, errors } = useContext(FormContext);
  return { id: `${idPrefix}-${name}`, error: error ?? fieldErrorSentence(errors, name) };
}

type Shared = {
  name: string;
  label: UiText;
  hint?: UiText | undefined;
  error?: UiText | undefined;
  optional?: boolean | undefined;
  /** A short answer: takes half of a phone's width. */
  short?: boolean | undefined;
};

type InputProps = Shared & Omit<ComponentProps<"input">, "form" | "id" | "name">;

/** A labelled input with its hint and its error wired for screen readers. */
export function Field(props: InputProps) {
  const { name, label, hint, error: own, optional, short, ...input } = props;
  const { id, error } = useField(name, own);
  const shared = { className: "input", id, name, ...describedBy(id, hint, error), ...input };
  return (
    <FieldFrame {...{ id, label, hint, error, optional, short }}>
      {input.type === "password" ? <PasswordInput {...shared} /> : <input {...shared} />}
    </FieldFrame>
  );
}

/** A password that can be shown: a phone's keyboard is small. */
function PasswordInput(input: ComponentProps<"input">) {
  const t = useWords();
  const hydrated = useHydrated();
  const [isShown, setIsShown] = useState(false);
  return (
    <div className="password">
      <input {...input} type={isShown ? "text" : "password"} />
      {hydrated && (
        <button
          className="button button-quiet"
          type="button"
          aria-label={t(isShown ? "Hide password" : "Show password")}
          onClick={() => setIsShown(!isShown)}
        >
          {t(isShown ? "Hide" : "Show")}
        </button>
      )}
    </div>
  );
}

export type Choice = { value: string; label: string; disabled?: boolean };

/** Choices whose values on the wire are 1, 2 and so on. */
export function numberedChoices(...labels: string[]): readonly Choice[] {
  return labels.map((label, index) => ({ value: String(index + 1), label }));
}

/** Choices under a heading. */
export type ChoiceGroup = { label: string; choices: readonly Choice[] };

type SelectProps = Shared &
  Omit<ComponentProps<"select">, "form" | "id" | "name" | "children"> & {
    choices: readonly Choice[];
    /** After the choices. */
    groups?: readonly ChoiceGroup[];
    /** Shown first, with the empty value, until something is chosen. */
    prompt?: string;
  };

/** A labelled drop-down list. */
export function SelectField(props: SelectProps) {
  const t = useWords();
  const { name, label, hint, error: own, optional, short, choices, prompt, ...rest } = props;
  const { groups = [], ...select } = rest;
  const { id, error } = useField(name, own);
  return (
    <FieldFrame {...{ id, label, hint, error, optional, short }}>
      <select className="input" id={id} name={name} {...describedBy(id, hint, error)} {...select}>
        {prompt !== undefined && <option value="">{t(prompt)}</option>}
        <Options choices={choices} />
        {groups.map((group) => (
          <optgroup key={group.label} label={t(group.label)}>
            <Options choices={group.choices} />
          </optgroup>
        ))}
      </select>
    </FieldFrame>
  );
}

function Options({ choices }: { choices: readonly Choice[] }) {
  const t = useWords();
  return choices.map((choice) => (
    <option key={choice.value} value={choice.value} disabled={choice.disabled}>
      {t(choice.label)}
    </option>
  ));
}

type CheckProps = {
  name: string;
  label: string;
  /** Sent when it is ticked. */
  value?: string;
  hint?: string | undefined;
  defaultChecked: boolean;
};

/** Something to be ticked. */
export function CheckField({ name, label, value, hint, defaultChecked }: CheckProps) {
  const t = useWords();
  const { id } = useField(name);
  const described = describedBy(id, hint, undefined);
  return (
    <>
      <p className="checkbox">
        <input type="checkbox" {...{ id, name, value, defaultChecked }} {...described} />
        <label htmlFor={id}>{t(label)}</label>
      </p>
      {hint !== undefined && (
        <p className="field-hint" id={`${id}-hint`}>
          {t(hint)}
        </p>
      )}
    </>
  );
}

type FrameProps = Omit<Shared, "name"> & { id: string; children: ReactNode };

/** Label above, control, then hint and error: for controls that are not a plain input. */
export function FieldFrame({ id, label, hint, error, optional, short, children }: FrameProps) {
  const t = useWords();
  return (
    <div className={short === true ? "field field-short" : "field"}>
      <label htmlFor={id}>
        {t(label)}
        {optional === true && <span className="field-optional"> {t("(optional)")}</span>}
      </label>
      {children}
      {hint !== undefined && (
        <p className="field-hint" id={`${id}-hint`}>
          {t(hint)}
        </p>
      )}
      {error !== undefined && (
        <p className="field-error" id={`${id}-error`}>
          {t(error)}
        </p>
      )}
    </div>
  );
}

/** The attributes that tie a control to its hint and its error. */
export function describedBy(id: string, hint: UiText | undefined, error: UiText | undefined) {
  const ids = [
    hint === undefined ? "" : `${id}-hint`,
    error === undefined ? "" : `${id}-error`,
  ].filter((part) => part !== "");
  return {
    "aria-describedby": ids.length === 0 ? undefined : ids.join(" "),
    "aria-invalid": error === undefined ? undefined : true,
  };
}
