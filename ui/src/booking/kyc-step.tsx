import { useRef, useState, type Dispatch } from "react";
import { useAlerts } from "../lib/alerts";
import { useApi } from "../lib/api";
import { ApiError } from "../lib/api-error";
import { useForm, formValues, type FormValues } from "../lib/form";
import { dateTime } from "../lib/format";
import { useEarlyInput } from "../lib/hooks";
import { messages } from "../lib/messages";
import { bookingMessages } from "./messages";
import { preventDefault } from "../lib/prevent-default";
import { useResource } from "../lib/use-resource";
import { SubmitButton } from "../parts/button";
import { Card } from "../parts/heading";
import { Form, SelectField } from "../parts/field";
import { LoadFailed } from "../parts/load-failed";
import { KYC_KEPT_DAYS, type EarlierUpload, type FormState } from "../wire";
import { useWords } from "../words/words";
import type { Action } from "./flow";
import { DocumentFile, fileLabel } from "./document-file";
import { DOCUMENT_GROUPS, DOCUMENTS, documentNumber, kycErrors, ORGANIZATIONS } from "./kyc";
import { shrinkToFit } from "./photo";
import { PlainStep } from "./plain-step";

/** An organisation, and the types of both documents. */
type Chosen = { organization: string; documents: readonly string[] };

type Props = {
  dispatch: Dispatch<Action>;
  /** Documents uploaded before, where the page has them. */
  earlier: readonly EarlierUpload[] | null;
  /** The plain form that was refused. */
  refused: FormState | null;
};

/** The KYC step: two identity documents of one organisation type. */
export function KycStep({ dispatch, earlier, refused }: Props) {
  const t = useWords();
  const form = useRef<HTMLFormElement>(null);
  const { uploadedShare, form: upload, submitting, settle } = useUpload(dispatch, refused);
  /** Undefined until it was read from the form. */
  const [formChoice, setFormChoice] = useState<Chosen>();
  const choice = formChoice ?? readChoice(refused?.values ?? {});
  useEarlyInput(() => {
    if (form.current !== null) setFormChoice(withListNumbers(readChoice(formValues(form.current))));
  });
  // All of them, in groups, while no script follows the choice of the organisation.
  const organization = formChoice?.organization ?? "";
  const choose = (at: number, value: string) => {
    // Choosing the same type twice clears the other one: the documents must differ.
    const documents = choice.documents.map((id, place) =>
      place === at ? value : id === value ? "" : id,
    );
    const other = form.current?.elements.namedItem(`document_${at === 0 ? 2 : 1}_id`);
    if (other instanceof HTMLSelectElement) other.value = documents[1 - at] ?? "";
    setFormChoice({ ...choice, documents });
  };
  return (
    <Card title="KYC Document Upload Required" narrow>
      <p>
        {t(
          "Customs and some couriers ask for these documents. Only they and our staff see them, " +
            "and your account lists each look. We keep them encrypted, and delete them " +
            "{days} days after the last booking that used them.",
          { days: KYC_KEPT_DAYS },
        )}
      </p>
      <p className="quiet">
        {t(
          "Two different documents, as JPEG, PNG or PDF, each at most 2 MB. " +
            "Larger photos are made smaller on your device.",
        )}
      </p>
      <EarlierDocuments {...{ dispatch, earlier }} />
      <Form
        idPrefix="kyc"
        action="/courier/kyc"
        encType="multipart/form-data"
        ref={form}
        {...upload}
        labels={LABELS}
        onInput={settle}
        noValidate
      >
        <PlainStep step="kyc" />
        <SelectField
          name="organization_id"
          label="Organization"
          prompt="Choose"
          choices={ORGANIZATIONS}
          defaultValue={choice.organization}
          onChange={(event) =>
            setFormChoice({ organization: event.currentTarget.value, documents: ["", ""] })
          }
        />
        {choice.documents.map((value, at) => (
          <DocumentInputs
            key={at}
            n={at + 1}
            {...{ organization, value }}
            onChoose={(id) => choose(at, id)}
          />
        ))}
        {uploadedShare !== null && <Progress share={uploadedShare} />}
        <div className="actions">
          <SubmitButton
            kind="primary"
            busy={submitting}
            label={submitting ? "Uploading..." : "Upload Documents"}
          />
          <SubmitButton
            form="leave"
            name="back"
            value="1"
            disabled={submitting}
            onClick={preventDefault(() => dispatch({ type: "went back" }))}
            label="Back to Booking Details"
          />
        </div>
      </Form>
    </Card>
  );
}

const documentLabel = (n: number) => ({ text: "Document {n} Type", values: { n } });

const LABELS = {
  organization_id: "Organization",
  document_1_id: documentLabel(1),
  document_1: fileLabel(1),
  document_2_id: documentLabel(2),
  document_2: fileLabel(2),
};

function readChoice(values: Readonly<FormValues>): Chosen {
  const { organization_id = "", document_1_id = "", document_2_id = "" } = values;
  return { organization: organization_id, documents: [document_1_id, document_2_id] };
}

/** With numbers of the organisation's own list, not of the list of all documents. */
function withListNumbers(choice: Chosen): Chosen {
  const { organization, documents } = choice;
  if (organization === "") return choice;
  return { organization, documents: documents.map((id) => documentNumber(organization, id)) };
}

type DocumentProps = {
  n: number;
  /** The organisation whose documents are listed; "" for those of all. */
  organization: string;
  value: string;
  onChoose: (id: string) => void;
};

function DocumentInputs({ n, organization, value, onChoose }: DocumentProps) {
  return (
    <>
      <SelectField
        // The documents of another organisation are another list. The file stays.
        key={organization}
        name={`document_${n}_id`}
        label={documentLabel(n)}
        prompt="Choose"
        choices={DOCUMENTS[organization] ?? []}
        groups={organization === "" ? DOCUMENT_GROUPS : []}
        defaultValue={value}
        onChange={(event) => onChoose(event.currentTarget.value)}
      />
      <DocumentFile n={n} />
    </>
  );
}

function useUpload(dispatch: Dispatch<Action>, refused: FormState | null) {
  const api = useApi();
  const { showToast } = useAlerts();
  /** The share that was sent; null while nothing is being sent. */
  const [uploadedShare, setUploadedShare] = useState<number | null>(null);
  const form = useForm({
    refused,
    check: async (_values, body) => {
      await shrinkPhotos(body);
      return kycErrors(body);
    },
    // The fields say it themselves.
    summary: () => "",
    send: async (_values, body) => {
      setUploadedShare(0);
      const upload = api.uploadKyc(body, setUploadedShare);
      const answer = await upload.finally(() => setUploadedShare(null));
      if (answer.statusCode === 200) return answer.data;
      throw new ApiError(answer.message || messages.kycUploadFailed, answer.statusCode);
    },
    onSent: (paths, { organization_id = "", document_1_id = "", document_2_id = "" }) => {
      showToast("success", bookingMessages.kycUploaded);
      const kyc = { organization_id, document_1_id, document_2_id, ...paths };
      dispatch({ type: "kyc uploaded", kyc });
    },
    fallback: bookingMessages.kycUploadBroke,
  });
  return { uploadedShare, ...form };
}

async function shrinkPhotos(body: FormData) {
  for (const name of ["document_1", "document_2"]) {
    const file = body.get(name);
    if (file instanceof File && file.name !== "") body.set(name, await shrinkToFit(file));
  }
}

/** The sent part of the documents, as a bar. */
function Progress({ share }: { share: number }) {
  const t = useWords();
  return (
    <p>
      <label htmlFor="kyc-sent">
        {t("Uploading:")} <span translate="no">{`${Math.round(share * 100)} %`}</span>
      </label>
      <progress id="kyc-sent" className="progress" value={share} />
    </p>
  );
}

/** Documents uploaded for an earlier booking serve again with one tap. */
function EarlierDocuments({ dispatch, earlier }: Pick<Props, "dispatch" | "earlier">) {
  const t = useWords();
  const api = useApi();
  const resource = useResource<readonly EarlierUpload[]>({
    pageData: earlier,
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
            <form
              className="actions"
              method="post"
              action="/courier"
              onSubmit={preventDefault(() => use(kyc))}
            >
              <PlainStep step="kyc" />
              <input type="hidden" name="use" value={kyc.document_path_1} />
              <SubmitButton label="Use these" />
            </form>
          </li>
        ))}
      </ul>
    </section>
  );
}
