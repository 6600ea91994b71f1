import { useState, type ChangeEvent, type Dispatch } from "react";
import { useAlerts } from "../lib/alerts";
import { useApi } from "../lib/api";
import { ApiError } from "../lib/api-error";
import { useForm, errorOf } from "../lib/form";
import { dateTime } from "../lib/format";
import { useHydrated } from "../lib/hooks";
import { messages } from "../lib/messages";
import { useResource } from "../lib/use-resource";
import { Button } from "../parts/button";
import { Field, SelectField } from "../parts/field";
import { LoadFailed } from "../parts/load-failed";
import type { EarlierUpload, FieldError } from "../wire";
import { useWords } from "../words/words";
import type { Action } from "./flow";
import { ACCEPTED, DOCUMENTS, kycErrors, kycForm, ORGANIZATIONS } from "./kyc";
import { fitting } from "./photo";

type Chosen = { organization: string; one: string; two: string };

/** The KYC step: two identity documents of one organisation type. */
export function KycStep({ dispatch }: { dispatch: Dispatch<Action> }) {
  const t = useWords();
  const [chosen, setChosen] = useState<Chosen>({ organization: "", one: "", two: "" });
  const { sent, errors, submitting, submit, settle } = useUpload(dispatch);
  const hydrated = useHydrated();
  const documents = DOCUMENTS[chosen.organization] ?? [];
  return (
    <section className="card card-narrow">
      <h2>{t("KYC Document Upload Required")}</h2>
      <p>
        {t(
          "Two different documents, as JPEG, PNG or PDF, each at most 2 MB. " +
            "Larger photos are made smaller on your device.",
        )}
      </p>
      <Earlier dispatch={dispatch} />
      <form
        className="form"
        method="post"
        action="/courier"
        onSubmit={submit}
        onInput={settle}
        noValidate
      >
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
        {sent !== null && <Progress sent={sent} />}
        <div className="actions">
          {/* Files that were chosen would be lost: they are sent by script alone. */}
          <Button kind="primary" type="submit" busy={submitting} disabled={!hydrated}>
            {t(submitting ? "Uploading..." : "Upload Documents")}
          </Button>
          <Button disabled={submitting} onClick={() => dispatch({ type: "went back" })}>
            {t("Back to Booking Details")}
          </Button>
        </div>
      </form>
    </section>
  );
}

/** Choosing the same type twice clears the other one: the documents must differ. */
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
  const { showToast } = useAlerts();
  /** The share that was sent; null while nothing is being sent. */
  const [sent, setSent] = useState<number | null>(null);
  const form = useForm({
    tellIn: "alert",
    check: async (_values, body) => {
      await shrinkPhotos(body);
      return kycErrors(kycForm(body));
    },
    // The fields say it themselves.
    summary: () => "",
    send: async (_values, body) => {
      setSent(0);
      const answer = await api.uploadKyc(body, setSent).finally(() => setSent(null));
      if (answer.statusCode === 200) return answer.data;
      throw new ApiError(answer.message || messages.kycUploadFailed, answer.statusCode);
    },
    onSent: (paths, { organization_id = "", document_1_id = "", document_2_id = "" }) => {
      showToast("success", messages.kycUploaded);
      const kyc = { organization_id, document_1_id, document_2_id, ...paths };
      dispatch({ type: "kyc uploaded", kyc });
    },
    fallback: messages.kycUploadBroke,
  });
  return { sent, ...form };
}

async function shrinkPhotos(body: FormData) {
  for (const name of ["document_1", "document_2"]) {
    const file = body.get(name);
    if (file instanceof File && file.name !== "") body.set(name, await fitting(file));
  }
}

/** How much of the documents is on its way. */
function Progress({ sent }: { sent: number }) {
  const t = useWords();
  return (
    <p>
      <label htmlFor="kyc-sent">
        {t("Uploading:")} {Math.round(sent * 100)} %
      </label>
      <progress id="kyc-sent" className="progress" value={sent} />
    </p>
  );
}

/** Documents uploaded for an earlier booking serve again with one tap. */
function Earlier({ dispatch }: { dispatch: Dispatch<Action> }) {
  const t = useWords();
  const api = useApi();
  const resource = useResource<EarlierUpload[]>({
    sent: null,
    fallback: messages.kycOptionsFailed,
    load: async (signal) => (await api.earlierKyc(signal)).data,
  });
  const { data } = resource;
  if (resource.error !== null) return <LoadFailed resource={resource} />;
  if (data === null || data.length === 0) return null;
  const use = (kyc: EarlierUpload) =>
    dispatch({
      type: "kyc uploaded",
      kyc: {
        document_path_1: kyc.document_path_1,
        document_path_2: kyc.document_path_2,
        organization_id: String(kyc.organization_id),
        document_1_id: String(kyc.document_1_id),
        document_2_id: String(kyc.document_2_id),
      },
    });
  return (
    <section>
      <h3>{t("Uploaded before")}</h3>
      <ul className="rows">
        {data.map((kyc) => (
          <li key={kyc.document_path_1}>
            <p>
              <strong>
                {t(kyc.document_1)} {t("and")} {t(kyc.document_2)}
              </strong>
            </p>
            <p className="quiet">
              {t(kyc.organization)}, {t(dateTime(kyc.created_at))}
            </p>
            <div className="actions">
              <Button onClick={() => use(kyc)}>{t("Use these")}</Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
