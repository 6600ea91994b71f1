import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { loadSeenBookings, type SeenBooking } from "../booking/seen-bookings";
import { date, dateTime, orNotAvailable } from "../lib/format";
import { useHydrated } from "../lib/hooks";
import { OFFLINE_RECHECK_MS } from "../lib/limits";
import { loadInstead, nextIn } from "../lib/local-path";
import { StatusBadge } from "../parts/badge";
import { ButtonLink } from "../parts/button";
import { Empty } from "../parts/feedback";
import { Card, Heading } from "../parts/heading";
import { Table, type Column } from "../parts/table";
import { TranslatedText, useWords } from "../words/words";

const COLUMNS: readonly Column<SeenBooking>[] = [
  { label: "AWB", cell: (row) => <span className="awb">{orNotAvailable(row.awb_number)}</span> },
  { label: "To", cell: (row) => orNotAvailable(row.destination_city) },
  { label: "Status", cell: (row) => <StatusBadge status={row.status} /> },
  { label: "Date", cell: (row) => <TranslatedText text={date(row.created_at)} /> },
];

/** The service worker keeps this page, for when Dakiya cannot be reached. */
export default function Offline() {
  const t = useWords();
  const hydrated = useHydrated();
  const [query] = useSearchParams();
  const next = nextIn(query) ?? "/dashboard";
  useReturn(next);
  return (
    // As tall as the window, so that the bookings move nothing that can be seen.
    <div className="offline">
      <Heading>{t("You are offline")}</Heading>
      <section className="card">
        <p>
          {t(
            "Dakiya cannot be reached. Check your connection; this page reloads when you are " +
              "back online. Nothing you confirmed is lost, and nothing is charged twice.",
          )}
        </p>
        <p className="actions">
          <ButtonLink kind="primary" href={hydrated ? next : "/dashboard"} label="Try again" />
        </p>
      </section>
      {hydrated && <LastBookings />}
    </div>
  );
}

/** Where the customer was going, as soon as Dakiya can be reached. */
function useReturn(next: string) {
  useEffect(() => {
    const controller = new AbortController();
    const stop = () => {
      window.clearInterval(timer);
      controller.abort();
    };
    // Once: a page that takes long to come would begin anew each time.
    const go = () => {
      stop();
      loadInstead(next);
    };
    // No event tells that the server is back, nor a network that the browser never missed.
    const look = async () => {
      if (!document.hidden && (await isReached(controller.signal))) go();
    };
    const timer = window.setInterval(() => void look(), OFFLINE_RECHECK_MS);
    window.addEventListener("online", go, { signal: controller.signal });
    return stop;
  }, [next]);
}

/** Asks for the head of a small file, which the service worker lets pass. */
async function isReached(signal: AbortSignal): Promise<boolean> {
  try {
    return (await fetch("/favicon.svg", { method: "HEAD", cache: "no-store", signal })).ok;
  } catch {
    return false;
  }
}

function LastBookings() {
  const t = useWords();
  const [seen] = useState(() => loadSeenBookings());
  return (
    <Card title="Last bookings seen on this device">
      {seen === null || seen.bookings.length === 0 ? (
        <Empty
          title="No bookings were seen yet"
          hint="Open the dashboard once while online to see them here."
        />
      ) : (
        <>
          <p className="quiet">{t("As of {when}", { when: dateTime(seen.at_ms) })}</p>
          <Table
            caption="Last bookings seen"
            columns={COLUMNS}
            rows={seen.bookings}
            rowKey={(row) => row.awb_number}
          />
        </>
      )}
    </Card>
  );
}
