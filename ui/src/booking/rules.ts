import table from "../../../server/data/booking_fields.json";
import type { DetailField, Draft } from "./fields";

/** A kind of value. The server reads the same table: `server/src/model/booking/form/rules.rs`. */
type Kind = {
  sentence: string;
  /** A pattern of characters that do not count. */
  remove?: string | undefined;
  upper?: boolean | undefined;
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

/** The least number that the field takes, if it takes numbers. */
export function fieldMinimum(name: DetailField): string | undefined {
  return KINDS[RULES.get(name)?.kind ?? ""]?.min;
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
  if (kind !== undefined && !matchesKind(kind, text)) return kind.sentence;
  const earlier = (values[rule.later_than as DetailField] ?? "").trim();
  return rule.later_than !== undefined && text <= earlier ? table.sentences.later : null;
}

function fieldKind(rule: Rule, values: Draft, international: boolean): string {
  const documentKind = table.document_kinds[Number(values.consigner_doc_type) - 1];
  if (rule.by_document_type === true && documentKind !== undefined) return documentKind;
  return (international ? rule.abroad : undefined) ?? rule.kind;
}

function matchesKind(kind: Kind, value: string): boolean {
  const { remove, pattern, check, chars_max, min, max } = kind;
  const bare = remove === undefined ? value : value.replace(new RegExp(remove, "g"), "");
  const text = kind.upper === true ? bare.toUpperCase() : bare;
  return (
    (pattern === undefined || new RegExp(pattern).test(text)) &&
    (chars_max === undefined || Array.from(text).length <= chars_max) &&
    (check === undefined || CHECKS[check]?.(text) === true) &&
    (min === undefined || Number(text) >= Number(min)) &&
    (max === undefined || Number(text) <= Number(max))
  );
}

/** Rules that no pattern can state. */
const CHECKS: Readonly<Record<string, (text: string) => boolean>> = {
  gstin: hasGstinCharacter,
  aadhaar: hasVerhoeffDigit,
  date: isDay,
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

/** The calendar has a day such as `2026-11-21`. */
function isDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split("-").map(Number);
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day >= 1 && day <= (days[month - 1] ?? 0);
}
