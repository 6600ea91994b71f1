import type { FieldProblem } from "../lib/api-error";
import type { AddressLimits, ServiceAddresses } from "../wire";
import { isFetchedElsewhere } from "./draft";
import type { DetailField, Draft } from "./fields";

type Lines = readonly [string, string];

/**
 * An address in lines that fit: as typed, or broken at other words. Null if it does not fit at all.
 * The server does the same: `server/core/model/courier/address.rs`.
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
  const collectedAt = isElsewhere ? PICKUP : SENDER;
  return [
    ...tooLong(draft, sender, SENDER),
    ...tooLong(draft, receiver, RECEIVER),
    ...(isElsewhere ? tooLong(draft, sender, PICKUP) : []),
    ...(limits.sender_number === true ? withoutNumber(draft, sender, collectedAt) : []),
  ];
}

type Names = readonly [DetailField, DetailField];

const SENDER: Names = ["consigner_address_1", "consigner_address_2"];
const RECEIVER: Names = ["consignee_address_1", "consignee_address_2"];
const PICKUP: Names = ["pickup_address_1", "pickup_address_2"];

function typedLines(draft: Draft, [first, second]: Names): Lines {
  return [(draft[first] ?? "").trim(), (draft[second] ?? "").trim()];
}

/** The courier looks for a number in the first line that it gets. */
function withoutNumber(
  draft: Draft,
  limits: AddressLimits,
  [first, second]: Names,
): FieldProblem[] {
  const typed = typedLines(draft, [first, second]);
  const [line] = addressLines(limits, typed) ?? typed;
  if (line === "" || /\p{N}/u.test(line)) return [];
  return [{ path: first, message: "This courier wants a house, flat or road number here." }];
}

function tooLong(draft: Draft, limits: AddressLimits, [first, second]: Names): FieldProblem[] {
  const typed = typedLines(draft, [first, second]);
  if (addressLines(limits, typed) !== null) return [];
  const path = addressLines(limits, [typed[0], ""]) === null ? first : second;
  const { line, both } = limits;
  const text =
    "This courier takes at most {both} letters in two lines of {line}: please shorten the address.";
  return [{ path, message: { text, values: { both, line } } }];
}
