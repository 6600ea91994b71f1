import type { FieldProblem } from "../lib/api-error";
import type { AddressLimits, ServiceAddresses } from "../wire";
import { isFetchedElsewhere } from "./draft";
import type { DetailField, Draft } from "./fields";

type Lines = readonly [string, string];

/**
 * An address in lines that fit: as typed, or broken at other words. Null if it does not fit at all.
 * The server does the same: `server/src/model/courier/address.rs`.
 */
export function addressLines({ line, both }: AddressLimits, typed: Lines): Lines | null {
  const fits = typed.every((text) => letters(text) <= line);
  const lines = fits ? typed : brokenAtWords(line, typed);
  return lines === null || letters(lines[0]) + letters(lines[1]) > both ? null : lines;
}

function brokenAtWords(line: number, typed: Lines): Lines | null {
  const lines: string[] = [""];
  for (const word of typed.flatMap((text) => text.split(/\s+/)).filter((it) => it !== "")) {
    const last = lines.pop() ?? "";
    const longer = last === "" ? word : `${last} ${word}`;
    if (letters(longer) <= line) {
      lines.push(longer);
      continue;
    }
    lines.push(last, word);
    if (lines.length > 2 || letters(word) > line) return null;
  }
  return [lines[0] ?? "", lines[1] ?? ""];
}

function letters(text: string): number {
  return Array.from(text).length;
}

/** Addresses that are too long for the chosen service, each beside the line that is too much. */
export function addressErrors(
  draft: Draft,
  limits: ServiceAddresses | null | undefined,
): FieldProblem[] {
  if (limits === undefined || limits === null) return [];
  const { sender, receiver } = limits;
  const isElsewhere = isFetchedElsewhere(draft);
  return [
    ...tooLong(draft, sender, ["consigner_address_1", "consigner_address_2"]),
    ...tooLong(draft, receiver, ["consignee_address_1", "consignee_address_2"]),
    ...(isElsewhere ? tooLong(draft, sender, ["pickup_address_1", "pickup_address_2"]) : []),
  ];
}

function tooLong(
  draft: Draft,
  limits: AddressLimits,
  names: readonly [DetailField, DetailField],
): FieldProblem[] {
  const [first, second] = names;
  const typed = (name: DetailField) => (draft[name] ?? "").trim();
  if (addressLines(limits, [typed(first), typed(second)]) !== null) return [];
  const path = addressLines(limits, [typed(first), ""]) === null ? first : second;
  const { line, both } = limits;
  const text =
    "This courier takes at most {both} letters in two lines of {line}: please shorten the address.";
  return [{ path, message: { text, values: { both, line } } }];
}
