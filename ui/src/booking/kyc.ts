import type { FieldProblem } from "../lib/api-error";
import { bookingMessages } from "./messages";
import { numberedChoices, type Choice, type ChoiceGroup } from "../parts/field";
import { KYC_FILE_BYTES_MAX } from "../wire";
import type { UiText } from "../words/words";

/**
 * The kinds of organisation and, below, the documents that each may show; the numbers are the
 * wire's.
 */
export const ORGANIZATIONS = numberedChoices(
  "Individual",
  "Company",
  "Partnership firm",
  "Trusts, Foundations",
);

export const DOCUMENTS: Readonly<Record<string, readonly Choice[]>> = {
  "1": numberedChoices(
    "Passport",
    "PAN card",
    "Voter Identity card",
    "Driving licence",
    "Bank account statement",
    "Ration card",
    "Aadhar card",
  ),
  "2": numberedChoices(
    "Certificate of incorporation",
    "Memorandum of Association",
    "Articles of Association",
    "Power of Attorney",
    "PAN allotment letter",
    "Telephone bill",
    "IEC Copy",
    "GST certificate",
  ),
  "3": numberedChoices(
    "Registration certificate",
    "Partnership deed",
    "Power of Attorney",
    "Telephone bill",
    "Other documents",
  ),
  "4": numberedChoices(
    "Certificate of Registration",
    "Power of Attorney",
    "Resolution of Entity",
    "Telephone bill",
    "Other documents",
  ),
};

/**
 * All documents, by organisation. In one list a number is not enough: the eighth of a company is
 * `2.8`.
 */
export const DOCUMENT_GROUPS: readonly ChoiceGroup[] = ORGANIZATIONS.map((organization) => ({
  label: organization.label,
  choices: (DOCUMENTS[organization.value] ?? []).map(({ value, label }) => ({
    value: `${organization.value}.${value}`,
    label,
  })),
}));

/** The document's number, chosen from either list; "" for another organisation's. */
export function documentNumber(organization: string, value: string): string {
  const [of = "", number] = value.split(".");
  if (number === undefined) return value;
  return of === organization ? number : "";
}

/** A document's name; "" for one that there is not. */
export function documentName(organization: string, id: string): string {
  const number = documentNumber(organization, id);
  return DOCUMENTS[organization]?.find(({ value }) => value === number)?.label ?? "";
}

export const ACCEPTED = ["image/jpeg", "image/png", "image/jpg", "application/pdf"];

/** The errors of the KYC form. A file is a JPEG, PNG or PDF of at most 2 MB. */
export function kycErrors(form: FormData): FieldProblem[] {
  const errors: FieldProblem[] = [];
  const isBlank = (name: string) => (form.get(name) ?? "") === "";
  const wrong = (path: string, message: UiText) => errors.push({ path, message });
  if (isBlank("organization_id")) wrong("organization_id", bookingMessages.kycOrganizationMissing);
  for (const n of [1, 2]) {
    if (isBlank(`document_${n}_id`)) {
      wrong(`document_${n}_id`, { text: "Document {n} type is required", values: { n } });
    }
    const file = form.get(`document_${n}`);
    const isThere = file instanceof File && file.name !== "";
    const message = isThere
      ? fileProblem(file)
      : { text: "Document {n} file is required", values: { n } };
    if (message !== null) wrong(`document_${n}`, message);
  }
  return errors;
}

/** Of a file that was just chosen: a photo that is too large is shrunk before it is sent. */
export function chosenFileProblem(file: File): string | null {
  const shrinks = file.type.startsWith("image/") && ACCEPTED.includes(file.type);
  return shrinks ? null : fileProblem(file);
}

function fileProblem(file: File): string | null {
  if (file.size > KYC_FILE_BYTES_MAX) return bookingMessages.kycFileTooLarge;
  return ACCEPTED.includes(file.type) ? null : bookingMessages.kycFileKind;
}
