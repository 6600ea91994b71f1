import { KYC_FILE_BYTES_MAX } from "../lib/limits";
import { messages } from "../lib/messages";
import type { Choice, ChoiceGroup } from "../parts/field";
import type { FieldError } from "../wire";

const numbered = (...labels: string[]): readonly Choice[] =>
  labels.map((label, index) => ({ value: String(index + 1), label }));

/**
 * The kinds of organisation and, below, the documents that each may show; the numbers are the
 * wire's.
 */
export const ORGANIZATIONS = numbered(
  "Individual",
  "Company",
  "Partnership firm",
  "Trusts, Foundations",
);

export const DOCUMENTS: Readonly<Record<string, readonly Choice[]>> = {
  "1": numbered(
    "Passport",
    "PAN card",
    "Voter Identity card",
    "Driving licence",
    "Bank account statement",
    "Ration card",
    "Aadhar card",
  ),
  "2": numbered(
    "Certificate of incorporation",
    "Memorandum of Association",
    "Articles of Association",
    "Power of Attorney",
    "PAN allotment letter",
    "Telephone bill",
    "IEC Copy",
    "GST certificate",
  ),
  "3": numbered(
    "Registration certificate",
    "Partnership deed",
    "Power of Attorney",
    "Telephone bill",
    "Other documents",
  ),
  "4": numbered(
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
export function documentOf(organization: string, value: string): string {
  const [of = "", number] = value.split(".");
  if (number === undefined) return value;
  return of === organization ? number : "";
}

export const ACCEPTED = ["image/jpeg", "image/png", "image/jpg", "application/pdf"];

export type KycForm = {
  organization_id: string;
  document_1_id: string;
  document_1: File | null;
  document_2_id: string;
  document_2: File | null;
};

export function kycForm(form: FormData): KycForm {
  const text = (name: string) => String(form.get(name) ?? "");
  const file = (name: string) => {
    const value = form.get(name);
    return value instanceof File && value.name !== "" ? value : null;
  };
  return {
    organization_id: text("organization_id"),
    document_1_id: text("document_1_id"),
    document_1: file("document_1"),
    document_2_id: text("document_2_id"),
    document_2: file("document_2"),
  };
}

/** What is missing or wrong in the KYC form. A file is a JPEG, PNG or PDF of at most 2 MB. */
export function kycErrors(form: KycForm): FieldError[] {
  const errors: FieldError[] = [];
  if (form.organization_id === "") {
    errors.push({ path: "organization_id", message: messages.kycOrganizationMissing });
  }
  for (const n of [1, 2] as const) {
    if (form[`document_${n}_id`] === "") {
      errors.push({ path: `document_${n}_id`, message: `Document ${n} type is required` });
    }
    const message = fileProblem(form[`document_${n}`]) ?? null;
    if (message !== null) {
      errors.push({
        path: `document_${n}`,
        message: message === "" ? `Document ${n} file is required` : message,
      });
    }
  }
  return errors;
}

/** null = good, "" = missing. */
function fileProblem(file: File | null): string | null {
  if (file === null) return "";
  if (file.size > KYC_FILE_BYTES_MAX) return messages.kycFileTooLarge;
  return ACCEPTED.includes(file.type) ? null : messages.kycFileKind;
}
