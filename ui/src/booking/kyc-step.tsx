import { useState, type ChangeEvent, type Dispatch, type FormEvent } from "react";
import { useAlerts } from "../alerts";
import { ApiError } from "../api/error";
import { useApi } from "../api/context";
import { errorOf, focusFirstError } from "../forms";
import { messages } from "../messages";
import type { FieldError } from "../page";
import { Button } from "../parts/button";
import { Field, SelectField } from "../parts/field";
import type { Action } from "./flow";
import { ACCEPTED, DOCUMENTS, kycErrors, kycForm, ORGANIZATIONS } from "./kyc";

type Chosen = { organization: string; one: string; two: string };

/** The KYC step: two identity documents of one organisation type. */
export function KycStep({ dispatch }: { dispatch: Dispatch<Action> }) {
  const [chosen, setChosen] = useState<Chosen>({ organization: "", one: "", two: "" });
  const { busy, errors, submit } = useUpload(dispatch);
  const documents = DOCUMENTS[chosen.organization] ?? [];
  return (
    <section className="card card-narrow">
      <h2>KYC Document Upload Required</h2>
      <p>Two different documents, as JPEG, PNG or PDF, each at most 2 MB.</p>
      <form className="form" onSubmit={submit} noValidate>
        <SelectField
          form="kyc"
          name="organization_id"
          label="Organization"
          prompt="Choose"
          choices={ORGANIZATIONS}
          value={chosen.organization}
          onChange={(event) =>
            setChosen({ organization: event.currentTarget.value, one: "", two: "" })
          }
          error={errorOf(errors, "organization_id")}
        />
        {([1, 2] as const).map((n) => (
          <DocumentInputs
            key={n}
            n={n}
            documents={documents}
            value={n === 1 ? chosen.one : chosen.two}
            errors={errors}
            onChoose={(id) => setChosen(withDocument(chosen, n, id))}
          />
        ))}
        <div className="actions">
          <Button kind="primary" type="submit" busy={busy}>
            {busy ? "Uploading..." : "Upload Documents"}
          </Button>
          <Button disabled={busy} onClick={() => dispatch({ type: "went back" })}>
            Back to Booking Details
          </Button>
        </div>
      </form>
    </section>
  );
}

/** A type equal to the other one clears the other: two different documents are wanted. */
function withDocument(chosen: Chosen, n: 1 | 2, id: string): Chosen {
  return n === 1
    ? { ...chosen, one: id, two: chosen.two === id ? "" : chosen.two }
    : { ...chosen, two: id, one: chosen.one === id ? "" : chosen.one };
}

type DocumentProps = {
  n: 1 | 2;
  documents: readonly { value: string; label: string }[];
  value: string;
  errors: readonly FieldError[];
  onChoose: (id: string) => void;
};

function DocumentInputs({ n, documents, value, errors, onChoose }: DocumentProps) {
  return (
    <>
      <SelectField
        form="kyc"
        name={`document_${n}_id`}
        label={`Document ${n} Type`}
        prompt={documents.length === 0 ? "Choose the organization first" : "Choose"}
        choices={documents}
        value={value}
        onChange={(event: ChangeEvent<HTMLSelectElement>) => onChoose(event.currentTarget.value)}
        error={errorOf(errors, `document_${n}_id`)}
      />
      <Field
        form="kyc"
        name={`document_${n}`}
        label={`Document ${n} File`}
        type="file"
        accept={ACCEPTED.join(",")}
        error={errorOf(errors, `document_${n}`)}
      />
    </>
  );
}

function useUpload(dispatch: Dispatch<Action>) {
  const api = useApi();
  const { showAlert, showToast } = useAlerts();
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<FieldError[]>([]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const body = new FormData(form);
    const typed = kycForm(body);
    const wrong = kycErrors(typed);
    setErrors(wrong);
    if (wrong.length > 0) {
      focusFirstError(form);
      return;
    }
    setBusy(true);
    api.uploadKyc(body).then(
      ({ statusCode, message, data }) => {
        setBusy(false);
        if (statusCode !== 200) {
          showAlert("error", message || messages.kycUploadFailed);
          return;
        }
        showToast("success", messages.kycUploaded);
        dispatch({ type: "kyc uploaded", kyc: { ...typed, ...data } });
      },
      (error: unknown) => {
        setBusy(false);
        const spoken = error instanceof ApiError ? error.message : "";
        showAlert("error", spoken || messages.kycUploadBroke);
      },
    );
  };
  return { busy, errors, submit };
}
