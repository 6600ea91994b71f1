import table from "../../../server/data/booking_fields.json";
import {
  readAbroad,
  readAmount,
  readCode,
  readCount,
  readDay,
  readGrams,
  readIndian,
  readIndianMobile,
  readLength,
  readPin,
  readRupees,
  unmarked,
} from "../lib/input";
import type { FieldError } from "../wire";
import type { DetailField, Draft } from "./fields";

/** A kind of value. The server reads the same table: `server/core/model/booking/form/rules.rs`. */
type Kind = {
  /** `{count}` stands for the number of letters typed. */
  sentence: string;
  /** A text without control characters. */
  on_one_line?: boolean | undefined;
  reader?: string | undefined;
  /** The pattern of the value that was read. */
  pattern?: string | undefined;
  check?: string | undefined;
  chars_max?: number | undefined;
  min?: string | undefined;
  max?: string | undefined;
};

type Rule = (typeof table.fields)[number];

const KINDS: Readonly<Record<string, Kind>> = table.kinds;
/** The rules of the form's fields, by name. */
export const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>(
  table.fields
    .filter(({ in_form }) => in_form !== false)
    .map((rule) => [rule.wire.replace(/^.*[.]/, ""), rule]),
);

/** As the server's `char::is_control`. */
const CONTROL = /\p{Cc}/u;

/** Said beside a field that must not be blank. */
export const REQUIRED = table.sentences.required;

/** Step 1 has asked for it where the country has any. */
const ASKED_IN_STEP_1 = "consignee_pincode";

export function isShown(name: DetailField, values: Draft, international: boolean): boolean {
  const rule = RULES.get(name);
  return (
    (rule?.only === undefined || (rule.only === "abroad") === international) &&
    isConditionMet(rule?.shown_if, values, true) &&
    !isConditionMet(rule?.shown_unless, values, false)
  );
}

/** The value of another field with which this one is shown, where it depends on one. */
export function showingValues(name: DetailField): Draft {
  const rule = RULES.get(name);
  const needed = rule?.shown_if ?? (rule?.shown_unless && rule.required_if);
  return needed === undefined ? {} : { [needed.field]: needed.is };
}

/** True if another field has this value; `without` where there is no condition. */
function isConditionMet(condition: Rule["required_if"], values: Draft, without: boolean): boolean {
  return condition === undefined
    ? without
    : values[condition.field as DetailField] === condition.is;
}

/** The wire's value for a blank field. */
export function blankValue(name: DetailField): string {
  return RULES.get(name)?.absent ?? "";
}

export function isRequired(name: DetailField, values: Draft, international: boolean): boolean {
  if (international && name === ASKED_IN_STEP_1) return false;
  const rule = RULES.get(name);
  return rule?.required !== undefined || isConditionMet(rule?.required_if, values, false);
}

/** The sentence beside a field, or null when nothing is wrong with it. */
export function fieldError(
  name: DetailField,
  values: Draft,
  international: boolean,
): string | null {
  const rule = RULES.get(name);
  const text = (values[name] ?? "").trim();
  if (rule === undefined) return null;
  if (text === "") {
    return isRequired(name, values, international) ? REQUIRED : null;
  }
  const kind = KINDS[fieldKind(rule, values, international)];
  if (kind?.on_one_line === true && CONTROL.test(text)) return table.sentences.control_characters;
  const inRupees = (values.currency ?? "INR") === "INR";
  if (kind !== undefined && !matchesKind(kind, text, inRupees)) {
    return kind.sentence.replace("{count}", String(Array.from(text).length));
  }
  const earlier = (values[rule.later_than as DetailField] ?? "").trim();
  return rule.later_than !== undefined && text <= earlier ? table.sentences.later : null;
}

/** Refuses an invoice for the goods of a day after `today`, yyyy-mm-dd in India. */
export function invoiceDayErrors(values: Draft, today: string): FieldError[] {
  const day = readDay(values.booking_invoice_date ?? "");
  if (day === null || day <= today) return [];
  return [{ path: "booking_invoice_date", message: table.sentences.in_future }];
}

function fieldKind(rule: Rule, values: Draft, international: boolean): string {
  const documentKind = table.document_kinds[Number(values.consigner_doc_type) - 1];
  if (rule.by_document_type === true && documentKind !== undefined) return documentKind;
  return (international ? rule.abroad : undefined) ?? rule.kind;
}

function matchesKind(kind: Kind, value: string, inRupees: boolean): boolean {
  const { reader, pattern, check, chars_max, min, max } = kind;
  const text = reader === undefined ? value : READERS[reader]?.(value, inRupees);
  if (text === undefined || text === null) return false;
  return (
    (pattern === undefined || new RegExp(pattern).test(text)) &&
    (chars_max === undefined || Array.from(text).length <= chars_max) &&
    (check === undefined || CHECKS[check]?.(text) === true) &&
    (min === undefined || Number(text) >= Number(min)) &&
    (max === undefined || Number(text) <= Number(max))
  );
}

type Reader = (typed: string, inRupees: boolean) => string | null;

/** The value as the server stores it; null for a text that is none. */
const READERS: Readonly<Record<string, Reader>> = {
  plain: unmarked,
  code: readCode,
  pin: readPin,
  indian_mobile: readIndianMobile,
  indian: readIndian,
  abroad: readAbroad,
  amount: (typed, inRupees) => decimal(inRupees ? readRupees(typed) : readAmount(typed), 100),
  weight: (typed) => decimal(readGrams(typed), 1_000),
  length: (typed) => decimal(readLength(typed), 1_000),
  count: (typed) => decimal(readCount(typed), 1),
  day: readDay,
};

function decimal(number: number | null, unit: number): string | null {
  return number === null ? null : String(number / unit);
}

/** Rules that no pattern can state. */
const CHECKS: Readonly<Record<string, (text: string) => boolean>> = {
  gstin: hasGstinCharacter,
  aadhaar: hasVerhoeffDigit,
};

/** The last character of a GSTIN follows from the others: Luhn's rule in base 36. */
function hasGstinCharacter(text: string): boolean {
  const values = Array.from(text, (symbol) => parseInt(symbol, 36));
  const last = values.pop();
  const sum = values.reduce((before, value, at) => {
    const weighted = value * (at % 2 === 0 ? 1 : 2);
    return before + Math.floor(weighted / 36) + (weighted % 36);
  }, 0);
  return last === (36 - (sum % 36)) % 36;
}

/** The last digit of an Aadhaar number follows from the others: Verhoeff's rule. */
function hasVerhoeffDigit(text: string): boolean {
  const shuffle = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];
  let sum = 0;
  Array.from(text, Number)
    .reverse()
    .forEach((digit, place) => {
      let shuffled = digit;
      for (let turn = 0; turn < place % 8; turn += 1) shuffled = shuffle[shuffled] ?? 0;
      sum = composeSymmetries(sum, shuffled);
    });
  return sum === 0;
}

/** Two symmetries of a pentagon one after the other: 0 to 4 are its turns, 5 to 9 its flips. */
function composeSymmetries(one: number, other: number): number {
  if (one < 5) return other < 5 ? (one + other) % 5 : ((one + other) % 5) + 5;
  return other < 5 ? ((one - other) % 5) + 5 : (one + 5 - other) % 5;
}
