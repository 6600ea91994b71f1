import { useEffect, useEffectEvent, useRef, useState, type Dispatch } from "react";
import { useAlerts } from "../lib/alerts";
import { useApi } from "../lib/api";
import {
  ApiError,
  bookingErrorText,
  fieldErrorSentence,
  errorSentence,
  type FieldProblem,
} from "../lib/api-error";
import { focusFirstError, useForm, formValues, type FormValues } from "../lib/form";
import { useEarlyInput } from "../lib/hooks";
import { messages } from "../lib/messages";
import { useSession } from "../lib/session";
import { useSite } from "../lib/site";
import { SubmitButton } from "../parts/button";
import { CheckField, Field, Form, SelectField } from "../parts/field";
import { Fold, Section } from "../parts/section";
import { serviceName } from "../rates/service-name";
import type {
  CourierData,
  FormState,
  PickupChoice,
  Preset,
  PresetKind,
  PricedShipment,
  RateForm,
  RateOption,
} from "../wire";
import { useWords, type UiText, type Words } from "../words/words";
import { collectDraft, draftErrors, fieldLabels, shipmentDraft } from "./draft";
import {
  choiceLabel,
  applies,
  formFields,
  SECTIONS,
  type Draft,
  type SectionSpec,
  type ShownField,
} from "./fields";
import { isInternational, type Action } from "./flow";
import { ActionBar } from "./action-bar";
import { addressErrors } from "./addresses";
import { keepParcel } from "./last-parcels";
import { PickupTimeField } from "./pickup-time-field";
import { PlainStep } from "./plain-step";
import { PRESET_TICKS, PresetSelect, saveCheckboxName } from "./preset-fields";
import {
  appliedReceiver,
  isForCountry,
  PRESET_KINDS,
  presetFields,
  presetProblem,
} from "./presets";
import { presetLine, receiverPlace, sizeOf } from "./preset-line";
import { priceRequest } from "./price-request";
import { bookingMessages } from "./messages";
import { fieldError, invoiceDayErrors, isShown, REQUIRED } from "./rules";

/** Of the wizard's page. */
export type Pickups = CourierData["pickups"];

type Props = {
  /** The shipment as step 1 priced it, and the service chosen there. */
  quoted: PricedShipment;
  option: RateOption;
  dispatch: Dispatch<Action>;
  start: Draft;
  presets: readonly Preset[];
  /** The times of pickups, by the hours of a service. */
  pickups: Pickups;
  fill: (preset: Preset) => void;
  /** A preset was saved. */
  onPresets: () => void;
  /** The plain form that was refused, or what Confirm was refused for. */
  refused: FormState | null;
  /** The step opens for what is wrong in it: the cursor goes there. */
  opensAtErrors: boolean;
};

/** Step 2: everything about sender, receiver, package, invoice and pickup. */
export function DetailsStep(given: Props) {
  const { quoted, option, presets, fill } = given;
  // No is no answer where the courier always fetches.
  const always: Draft = option.always_fetched === true ? { pickup_required: "1" } : {};
  const start: Draft = { ...given.start, ...always };
  const props = { ...given, start };
  const times = props.pickups[option.pickup_hours ?? ""] ?? [];
  const form = useRef<HTMLFormElement>(null);
  const international = isInternational(quoted);
  const [deciding, setDeciding] = useState(start);
  const { submitting, form: review, settle } = useReview(props);
  const { errors } = review;
  const arrive = useEffectEvent(() => {
    if (props.opensAtErrors && form.current !== null) focusFirstError(form.current);
  });
  useEffect(() => arrive(), []);
  const labels = fieldLabels(deciding, international);
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
      labels={labels}
      blank={BLANK}
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
          {...{ section, quoted, option, start, deciding, errors, presets, times, fill }}
        />
      ))}
      <ActionBar rate={option}>
        <SubmitButton kind="primary" busy={submitting} label="Calculate Rate & Review" />
      </ActionBar>
    </Form>
  );
}

const BLANK = { beside: REQUIRED, sentence: bookingMessages.requiredFields };

type SectionProps = Pick<Props, "quoted" | "option" | "start" | "presets" | "fill"> & {
  section: SectionSpec;
  /** The form's values now, which decide on other fields. */
  deciding: Draft;
  errors: readonly FieldProblem[];
  /** The times that a pickup may be asked for. */
  times: readonly PickupChoice[];
};

/** Fields that most need are in sight; those of a few, or known from step 1, are in a fold. */
function DetailsSection(props: SectionProps) {
  const { section, quoted, option, start, deciding, errors, presets, times, fill } = props;
  const { kind } = section;
  const t = useWords();
  const international = isInternational(quoted);
  const shipmentFields = shipmentDraft(quoted);
  const isKnown = ({ name }: ShownField) => (shipmentFields[name] ?? "") !== "";
  const shown = formFields(section, deciding, international);
  const fields =
    option.always_fetched === true
      ? shown.map(withoutNo)
      : shown.map((field) => withHandIn(field, deciding, option.hand_in));
  const isSeldom = (field: ShownField) => isKnown(field) || applies(field.seldom, international);
  const aside = section.more === undefined ? [] : fields.filter(isSeldom);
  const inSight = fields.filter((field) => !aside.includes(field));
  const wrongOf = (some: readonly ShownField[]) =>
    some
      .flatMap(({ name }) => fieldErrorSentence(errors, name) ?? [])
      .map((sentence) => t(sentence))
      .join(" ");
  const isMissing = ({ name }: ShownField) =>
    isShown(name, start, international) && fieldError(name, start, international) !== null;
  const inputs = (some: readonly ShownField[]) =>
    some.map((field) => (
      <DetailInput
        key={field.name}
        field={field}
        times={times}
        value={start[field.name] ?? ""}
        isFixed={isKnown(field) && applies(field.readOnly, international)}
        error={fieldErrorSentence(errors, field.name)}
      />
    ));
  const problem = (preset: Preset) => presetProblem(preset, quoted);
  // Of a saved receiver nothing is left to say.
  const isSaved = kind === "consignee" && appliedReceiver(presets, start) !== undefined;
  const closes = isSaved || applies(section.closes, international);
  const closed = closes && !fields.some(isMissing);
  return (
    <Section
      title={section.title}
      {...(closed && kind !== undefined ? { line: presetLine(kind, deciding, t) } : {})}
      open={!closed}
      wrong={wrongOf(fields)}
    >
      {kind !== undefined && (
        <PresetSelect
          {...{ kind, problem }}
          presets={presets.filter((preset) => isForCountry(preset, quoted))}
          draft={start}
          onChoose={fill}
        />
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
        // Ticked at first for a sender, while none is saved: most bookings have the same.
        <CheckField
          name={saveCheckboxName(kind)}
          label={PRESET_TICKS[kind]}
          defaultChecked={kind === "consignor" && !presets.some((one) => one.kind === kind)}
        />
      )}
    </Section>
  );
}

/** The choice of a pickup for a courier that always fetches. */
function withoutNo(field: ShownField): ShownField {
  if (field.name !== "pickup_required") return field;
  const choices = (field.choices ?? []).filter(({ value }) => value === "1");
  return { ...field, choices, hint: "This courier always fetches the parcel." };
}

/** Says beside No where the parcel is handed in. */
function withHandIn(field: ShownField, draft: Draft, hint: string | undefined): ShownField {
  const isSaid = field.name === "pickup_required" && draft.pickup_required === "2";
  return isSaid && hint !== undefined ? { ...field, hint } : field;
}

/** A summary of a section's fold, for while it is closed. */
function foldLine(kind: PresetKind | undefined, draft: Draft, t: Words): { line?: string } {
  if (kind === "consignee") return { line: receiverPlace(draft) };
  return kind === "package" ? { line: sizeOf(draft, t) } : {};
}

type InputProps = {
  field: ShownField;
  times: readonly PickupChoice[];
  value: string;
  /** Step 1 told it, and it is certain. */
  isFixed: boolean;
  error: UiText | undefined;
};

function DetailInput({ field, times, value, isFixed, error }: InputProps) {
  const t = useWords();
  const { name, label, hint, required, short = false } = field;
  const optional = !required && value === "";
  const shared = { name, label, hint, error, optional, short };
  if (isFixed) {
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
  if (name === "pickup_when") {
    const prompt = "Choose a day and time";
    return <PickupTimeField {...{ name, prompt, error }} choices={times} chosen={value} />;
  }
  if (field.tick === true) {
    return (
      <>
        {/* A box that is not ticked says nothing: this does, and the box comes after it. */}
        <input type="hidden" name={name} value="2" />
        <CheckField {...{ name, label, hint }} value="1" defaultChecked={value === "1"} />
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
      autoComplete={field.autoComplete ?? "off"}
      required={required}
      defaultValue={value}
    />
  );
}

/** Checks the form, asks the server for the price of the real measures, and goes on. */
function useReview({ quoted, option, dispatch, start, presets, onPresets, refused }: Props) {
  const api = useApi();
  const { user } = useSession();
  const { showAlert } = useAlerts();
  const international = isInternational(quoted);
  const { today } = useSite();
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
    check: (inputs) => {
      const draft = draftOf(inputs);
      return [
        ...draftErrors(draft, international),
        ...invoiceDayErrors(draft, today),
        ...addressErrors(draft, option.addresses),
      ];
    },
    // They are listed above the form.
    summary: () => "",
    send: (inputs) => api.rates(priceRequest(quoted, draftOf(inputs))),
    onSent: ({ data }, inputs) => {
      const quote = data.find((rate) => rate.product_id === option.product_id);
      if (quote === undefined) {
        showAlert("error", {
          text: "{service} cannot carry this shipment. Please choose another service.",
          values: { service: serviceName(option.product_name) },
        });
        return;
      }
      const draft = draftOf(inputs);
      const receiver = appliedReceiver(presets, draft);
      const isKept = receiver !== undefined || inputs[saveCheckboxName("consignee")] !== undefined;
      if (isKept && user !== null) {
        const { invoice_value = "" } = draft;
        const parcel = { ...presetFields("package", draft, quoted.values), invoice_value };
        keepParcel(user.username, draft, parcel);
      }
      dispatch({ type: "details priced", draft, quote });
      void saveTicked(inputs, draft, quoted.values);
    },
    fallback: messages.ratesFailed,
    // Its fields are listed beside the sentence.
    explain: (error, fallback) =>
      error instanceof ApiError && error.errors.length > 0
        ? errorSentence(error, fallback)
        : bookingErrorText(error, fallback),
    names: FORM_NAMES,
  });
}

/** The rate request's names that are not the form's. */
const FORM_NAMES: Readonly<Record<string, string>> = {
  width: "breadth",
  origin_pincode: "consigner_pincode",
  destination_pincode: "consignee_pincode",
  city: "consignee_city",
};
