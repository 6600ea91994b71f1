import type { FormEvent } from "react";
import { useLocation, useNavigate, useParams } from "react-router";
import { useApi } from "../lib/api";
import { formValues } from "../lib/form";
import { expectedInWords } from "../lib/expected";
import { codeInWords, date, orNotAvailable } from "../lib/format";
import { useTemporaryText } from "../lib/hooks";
import { TRACKING_ERROR_CLEARS_MS } from "../lib/limits";
import { messages } from "../lib/messages";
import { useSite } from "../lib/site";
import { useResource } from "../lib/use-resource";
import { StatusBadge } from "../parts/badge";
import { SubmitButton } from "../parts/button";
import { CourierMark } from "../parts/courier-mark";
import { Facts } from "../parts/facts";
import { Empty, ErrorBox } from "../parts/feedback";
import { Field, Form } from "../parts/field";
import { Heading } from "../parts/heading";
import { Progress } from "../parts/progress";
import { ShareLink } from "../parts/share-link";
import { Skeleton } from "../parts/skeleton";
import { Timeline } from "../parts/timeline";
import type { TrackData, Tracked, TrackingEvent } from "../wire";
import { useWords } from "../words/words";

export default function Track({ data }: { data: TrackData }) {
  const t = useWords();
  const { state } = useLocation();
  const { awb: awbInPath } = useParams();
  // A number typed into this page's form is an entry of its own; else the page names it.
  const awb = state === null || awbInPath === undefined ? data.awb : awbInPath;
  const { resource, error } = useTracking(awb, data);
  const submit = useSubmit(awb, resource.reload);
  return (
    <>
      <Heading>{t("Track Shipment")}</Heading>
      <section className="card">
        <Form idPrefix="track" className="form-line" method="get" action="/track" onSubmit={submit}>
          <Field
            key={awb}
            name="awb"
            label="AWB Number"
            placeholder="e.g. DK1719216000123"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck="false"
            required
            defaultValue={awb}
          />
          <SubmitButton
            kind="primary"
            busy={resource.loading}
            label={resource.loading ? "Tracking..." : "Track"}
          />
        </Form>
        {error !== null && <ErrorBox>{t(error)}</ErrorBox>}
      </section>
      {resource.loading && (
        <section className="card">
          <Skeleton lines={6} label="Tracking" />
        </section>
      )}
      {!resource.loading && resource.data !== null && <Result awb={awb} tracked={resource.data} />}
    </>
  );
}

function useTracking(awb: string, page: TrackData) {
  const api = useApi();
  const isSent = page.awb === awb;
  const resource = useResource<Tracked>({
    key: awb === "" ? null : awb,
    pageData: isSent ? page.tracked : null,
    sentError: isSent ? page.error : null,
    fallback: messages.trackFailed,
    load: (signal) => api.track(awb, signal),
  });
  const token = `${awb} ${resource.loading}`;
  return { resource, error: useTemporaryText(resource.error, token, TRACKING_ERROR_CLEARS_MS) };
}

function useSubmit(awb: string, reload: () => void) {
  const navigate = useNavigate();
  return (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typedAwb = (formValues(event.currentTarget)["awb"] ?? "").trim();
    if (typedAwb === "") return;
    if (typedAwb === awb) reload();
    else void navigate(`/track/${encodeURIComponent(typedAwb)}`, { state: { asked: true } });
  };
}

function Result({ awb, tracked }: { awb: string; tracked: Tracked }) {
  const t = useWords();
  const { today } = useSite();
  const { shipment, data: events } = tracked;
  const expectedAt = shipment?.expected_at ?? null;
  const number = events.find((event) => event.airwaybill_no)?.airwaybill_no ?? awb;
  const code = events.find((event) => event.courier_code)?.courier_code;
  const status = events[0]?.status ?? "";
  const courier = shipment?.courier ?? code ?? "";
  const facts = [
    { label: "AWB Number", value: number },
    { label: "Status", value: <StatusBadge status={status} /> },
    { label: "Courier", value: <Courier name={courier} /> },
  ];
  // Of the rest only what is known.
  if (shipment?.service) facts.push({ label: "Service", value: shipment.service });
  if (shipment?.destination) facts.push({ label: "Destination", value: shipment.destination });
  if (tracked.handover) {
    facts.push({ label: tracked.pickup ? "Pickup" : "Drop-off", value: t(tracked.handover) });
  }
  if (expectedAt !== null) {
    facts.push({ label: "Expected", value: t("about {date}", { date: date(expectedAt) }) });
  }
  return (
    <section className="card">
      <div className="tracking-summary">
        {expectedAt !== null && (
          <p className="tracking-day">{t(expectedInWords(expectedAt, today))}</p>
        )}
        <Progress status={shipment?.status ?? ""} />
        {shipment?.status === "exception" && (
          <p>
            {t("The courier says that it is lost, damaged or destroyed.")}{" "}
            <a href="/help">{t("Make a claim")}</a>
          </p>
        )}
        <Route events={events} />
        <Facts items={facts} />
        <ShareLink
          path={`/track/${encodeURIComponent(number)}`}
          awb={number}
          status={codeInWords(status)}
          label="Share on WhatsApp"
        />
        {tracked.call && <Call awb={number} isAsked={tracked.call === "asked"} />}
      </div>
      <h2>{t("Tracking History")}</h2>
      {events.length === 0 ? (
        <Empty title="No tracking events yet" hint="The first one follows when the parcel moves." />
      ) : (
        <Timeline events={events} />
      )}
    </section>
  );
}

/** As the courier calls itself, with its mark where somebody does. */
function Courier({ name }: { name: string }) {
  if (name === "") return orNotAvailable(undefined);
  return (
    <>
      <CourierMark name={name} />
      {name}
    </>
  );
}

/** The towns it has been in, in their order. */
function Route({ events }: { events: readonly TrackingEvent[] }) {
  const t = useWords();
  const places = [...events].reverse().map((event) => event.update_location.trim());
  const towns = places.filter((place, at) => place !== "" && place !== places[at - 1]);
  if (towns.length < 2) return null;
  return (
    <ol className="route" aria-label={t("Route")}>
      {towns.map((town, at) => (
        <li key={`${town}-${at}`} aria-current={at === towns.length - 1 ? "location" : undefined}>
          {town}
        </li>
      ))}
    </ol>
  );
}

/** A plain form: whoever asks has no account, and sees the same page again. */
function Call({ awb, isAsked }: { awb: string; isAsked: boolean }) {
  const t = useWords();
  if (isAsked) {
    return (
      <p role="status">{t("Request received. We will call the receiver between 9 am and 6 pm.")}</p>
    );
  }
  return (
    <form method="post" action={`/track/${encodeURIComponent(awb)}/call`}>
      <p className="quiet">{t("Need help with this delivery? We can call the receiver.")}</p>
      <SubmitButton label="Request a call" />
    </form>
  );
}
