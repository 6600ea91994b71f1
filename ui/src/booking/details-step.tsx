import { useRef, useState, type Dispatch } from "react";
import { useAlerts } from "../lib/alerts";
import { useApi } from "../lib/api";
import {
  bookingErrorText,
  fieldErrorSentence,
  errorSentence,
  type FieldProblem,
} from "../lib/api-error";
import { useForm, formValues, type FormValues } from "../lib/form";
import { useEarlyInput } from "../lib/hooks";
import { messages } from "../lib/messages";
import { SubmitButton } from "../parts/button";
import { CheckField, Field, Form, SelectField } from "../parts/field";
import { Fold, Section } from "../parts/section";
import type { FormState, Preset, PresetKind, PricedShipment, RateForm, RateOption } from "../wire";
import { useWords, type UiText, type Words } from "../words/words";
import { collectDraft, draftErrors, missingSentence, shipmentDraft } from "./draft";
import {
  choiceLabel,
  isHidden,
  SECTIONS,
  shownFields,
  type Draft,
  type SectionSpec,
  type ShownField,
} from "./fields";
import { isInternational, type Action } from "./flow";
import { ActionBar } from "./action-bar";
import { addressErrors } from "./addresses";
import { PlainStep } from "./plain-step";
import { PRESET_TICKS, PresetSelect, saveCheckboxName } from "./preset-fields";
import { PRESET_KINDS, presetFields, presetProblem } from "./presets";
import { presetLine, receiverPlace, sizeOf } from "./preset-line";
import { priceRequest } from "./price-request";
import { fieldMinimum, fieldError } from "./rules";

type Props = {
  /** The shipment as step 1 priced it, and the service chosen there. */
  quoted: PricedShipment;
  option: RateOption;
  dispatch: Dispatch<Action>;
  start: Draft;
  presets: readonly Preset[];
  fill: (preset: Preset) => void;
  /** A preset was saved. */
  onPresets: () => void;
  /** The plain form that was refused. */
  refused: FormState | null;
};

/** Step 2: everything about sender, receiver, package, invoice and pickup. */
export function DetailsStep(props: Props) {
  const t = useWords();
  const { quoted, option, start, presets, fill } = props;
  const form = useRef<HTMLFormElement>(null);
  const international = isInternational(quoted);
  const [deciding, setDeciding] = useState(start);
  const { submitting, form: review, settle } = useReview(props);
  const { errors } = review;
  const isPlain = review.message === "" || errors.length === 0;
  useEarlyInput(() => {
    if (form.current !== null)
      setDeciding(collectDraft(start, formValues(form.current), international));
  });
  return (
    <Form
      idPrefix="details"
      id="details"
      name="details"
      action="/courier"
      ref={form}
      {...review}
      message={isPlain ? review.message : errorSummary(t, start, international, errors)}
      onInput={settle}
      onChange={(event) =>
        setDeciding(collectDraft(start, formValues(event.currentTarget), international))
      }
      noValidate
    >
      <PlainStep step="details" />
      {SECTIONS.map((section) => (
        <DetailsSection
          key={section.title}
          {...{ section, quoted, start, deciding, errors, presets, fill }}
        />
      ))}
      <ActionBar rate={option}>
        <SubmitButton kind="primary" busy={submitting} label="Calculate Rate & Review" />
      </ActionBar>
    </Form>
  );
}

type SectionProps = Pick<Props, "quoted" | "start" | "presets" | "fill"> & {
  section: SectionSpec;
  /** The form's values now, which decide on other fields. */
  deciding: Draft;
  errors: readonly FieldProblem[];
};

/** Fields that most need are in sight; those of a few, or known from step 1, are in a fold. */
function DetailsSection(props: SectionProps) {
  const { section, quoted, start, deciding, errors, presets, fill } = props;
  const { kind } = section;
  const t = useWords();
  const international = isInternational(quoted);
  const shipmentFields = shipmentDraft(quoted);
  const isKnown = ({ name }: ShownField) => (shipmentFields[name] ?? "") !== "";
  const fields = shownFields(section, deciding, international);
  const isSeldom = (field: ShownField) => isKnown(field) || isHidden(field.seldom, international);
  const aside = section.more === undefined ? [] : fields.filter(isSeldom);
  const inSight = fields.filter((field) => !aside.includes(field));
  const wrongOf = (some: readonly ShownField[]) =>
    some
      .flatMap(({ name }) => fieldErrorSentence(errors, name) ?? [])
      .map((sentence) => t(sentence))
      .join(" ");
  const isMissing = ({ name }: ShownField) => fieldError(name, start, international) !== null;
  const inputs = (some: readonly ShownField[]) =>
    some.map((field) => (
      <DetailInput
        key={field.name}
        field={field}
        value={start[field.name] ?? ""}
        isKnown={isKnown(field)}
        error={fieldErrorSentence(errors, field.name)}
      />
    ));
  const problem = (preset: Preset) => presetProblem(preset, quoted);
  const closed = isHidden(section.closes, international) && !fields.some(isMissing);
  return (
    <Section
      title={section.title}
      {...(closed && kind === "consignor" ? { line: presetLine(kind, deciding, t) } : {})}
      open={!closed}
      wrong={wrongOf(fields)}
    >
      {kind !== undefined && (
        <PresetSelect {...{ kind, presets, problem }} draft={start} onChoose={fill} />
      )}
      {inputs(inSight)}
      {section.more !== undefined && aside.length > 0 && (
        <Fold
          title={section.more}
          {...foldLine(kind, deciding, t)}
          open={aside.some(isMissing)}
          wrong={wrongOf(aside)}
        >
          {inputs(aside)}
        </Fold>
      )}
      {kind !== undefined && (
        // Ticked at first for receivers, who often get more than one parcel.
        <CheckField
          name={saveCheckboxName(kind)}
          label={PRESET_TICKS[kind]}
          defaultChecked={kind === "consignee"}
        />
      )}
    </Section>
  );
}

/** A summary of a section's fold, for while it is closed. */
function foldLine(kind: PresetKind | undefined, draft: Draft, t: Words): { line?: string } {
  if (kind === "consignee") return { line: receiverPlace(draft) };
  return kind === "package" ? { line: sizeOf(draft, t) } : {};
}

type InputProps = {
  field: ShownField;
  value: string;
  /** Step 1 told it. */
  isKnown: boolean;
  error: UiText | undefined;
};

function DetailInput({ field, value, isKnown, error }: InputProps) {
  const t = useWords();
  const { name, label, hint, required, short = false } = field;
  const optional = !required && value === "";
  const shared = { name, label, hint, error, optional, short };
  if (field.readOnly === true && isKnown) {
    return (
      <Field
        {...shared}
        // A fixed choice shows its words, not its number, and is not part of what is typed.
        name={field.choices === undefined ? name : `${name}_shown`}
        optional={false}
        readOnly
        defaultValue={t(choiceLabel(field, value))}
      />
    );
  }
  if (field.tick === true) {
    return (
      <>
        {/* A box that is not ticked says nothing: this does, and the box comes after it. */}
        <input type="hidden" name={name} value="2" />
        <CheckField name={name} label={label} value="1" defaultChecked={value === "1"} />
      </>
    );
  }
  if (field.choices !== undefined) {
    return (
      <SelectField
        {...shared}
        choices={field.choices}
        {...(required || value !== "" ? {} : { prompt: "Choose" })}
        required={required}
        defaultValue={value}
      />
    );
  }
  return (
    <Field
      {...shared}
      type={field.type ?? "text"}
      inputMode={field.inputMode}
      min={fieldMinimum(name)}
      step={field.type === "number" ? "any" : undefined}
      autoComplete={field.autoComplete ?? "off"}
      required={required}
      defaultValue={value}
    />
  );
}

/** Checks the form, asks the server for the price of the real measures, and goes on. */
function useReview({ quoted, option, dispatch, start, onPresets, refused }: Props) {
  const t = useWords();
  const api = useApi();
  const { showAlert } = useAlerts();
  const international = isInternational(quoted);
  const draftOf = (inputs: FormValues) => collectDraft(start, inputs, international);

  /** Nobody waits for it. */
  const saveTicked = async (inputs: FormValues, draft: Draft, values: RateForm) => {
    const ticked = PRESET_KINDS.filter((kind) => inputs[saveCheckboxName(kind)] !== undefined);
    for (const kind of ticked) {
      const fields = presetFields(kind, draft, values);
      await api.savePreset({ kind, fields }).catch((error: unknown) => {
        showAlert("error", errorSentence(error, messages.presetFailed));
      });
    }
    if (ticked.length > 0) onPresets();
  };
  return useForm({
    refused,
    tellIn: "alert",
    check: (inputs) => {
      const draft = draftOf(inputs);
      return [...draftErrors(draft, international), ...addressErrors(draft, option.addresses)];
    },
    summary: (wrong, inputs) => errorSummary(t, draftOf(inputs), international, wrong),
    send: (inputs) => api.rates(priceRequest(quoted, draftOf(inputs))),
    onSent: ({ data }, inputs) => {
      const quote = data.find((rate) => rate.product_id === option.product_id);
      if (quote === undefined) {
        showAlert("error", {
          text: "{service} does not take this shipment. Please choose another service.",
          values: { service: option.product_name },
        });
        return;
      }
      const draft = draftOf(inputs);
      dispatch({ type: "details priced", draft, quote });
      void saveTicked(inputs, draft, quoted.values);
    },
    fallback: messages.ratesFailed,
    explain: bookingErrorText,
    names: FORM_NAMES,
  });
}

function errorSummary(
  t: Words,
  draft: Draft,
  international: boolean,
  wrong: readonly FieldProblem[],
): UiText {
  return missingSentence(t, draft, international) ?? wrong[0]?.message ?? "";
}

/** The rate request's names that are not the form's. */
const FORM_NAMES: Readonly<Record<string, string>> = {
  width: "breadth",
  origin_pincode: "consigner_pincode",
  destination_pincode: "consignee_pincode",
};
