import {
  date,
  dateTime,
  kilograms,
  phone,
  rupees,
  signedRupees,
  telephoneHref,
} from "../lib/format";
import { searchOf } from "../lib/query";
import { useSite } from "../lib/site";
import { StatusBadge } from "../parts/badge";
import { ButtonLink, SubmitButton } from "../parts/button";
import { Facts } from "../parts/facts";
import { Empty, WarningBox } from "../parts/feedback";
import { Card, Heading, HeadingRow } from "../parts/heading";
import { Progress } from "../parts/progress";
import { Timeline } from "../parts/timeline";
import { PriceLines } from "../rates/price-lines";
import { dashboardHref } from "../screens";
import { serviceName } from "../rates/service-name";
import type { BookedParty, BookedPickup, BookingView } from "../wire";
import { useWords } from "../words/words";
import { bookAgainHref, paperHref, papersOf } from "./papers";
import { BY_REQUEST, nextEvent } from "./next-event";
import { hasEnded, PickupCard } from "./pickup-card";

/** One booking: where it is, what it cost, its papers, and what can be done. */
export function BookingPage({ view }: { view: BookingView }) {
  const t = useWords();
  const { booking, price } = view;
  return (
    <>
      <p className="side-note">
        <a href="/bookings">{t("All bookings")}</a>
      </p>
      <Summary view={view} />
      <div className="booking-parts">
        <div className="stack">
          <PickupCard view={view} />
          <TrackingSection view={view} />
          <Parties view={view} />
        </div>
        <div className="stack">
          <Card title="Price">
            <PriceLines rate={{ breakdown: price, grand_total_with_gst: price.total }} />
          </Card>
          <Payments view={view} />
          <Help awb={booking.awb_number || booking.id} />
        </div>
      </div>
    </>
  );
}

function Summary({ view }: { view: BookingView }) {
  const t = useWords();
  const { booking, planned_pickup: planned } = view;
  const sentence = t(nextEvent(view));
  return (
    <section className="card">
      <div className="heading-row">
        <Heading>{booking.awb_number || t("Being booked")}</Heading>
        <StatusBadge status={booking.status} />
      </div>
      {planned !== null && hasEnded(planned) ? (
        <WarningBox>{sentence}</WarningBox>
      ) : (
        <p>{sentence}</p>
      )}
      <Progress status={booking.status} />
      <p className="quiet">
        {serviceName(booking.product_name)} ·{" "}
        {t("Booked {when}", { when: dateTime(booking.booking_date) })}
      </p>
      <div className="actions">
        {booking.status !== "failed" &&
          papersOf(booking.status).map(([paper, name], index) => (
            <a
              key={paper}
              className={index === 0 ? "button button-primary" : "button"}
              href={paperHref(booking.id, paper)}
              download
            >
              {t(paper === "label" ? "Print label" : name)}
            </a>
          ))}
        {view.charged_again === true && (
          <a className="button" href={paperHref(booking.id, "debit-note")} download>
            {t("Debit note")}
          </a>
        )}
        <ButtonLink href={bookAgainHref(booking.id)} label="Book again" />
      </div>
      {view.may_cancel && <Cancel view={view} />}
    </section>
  );
}

/** Asks before it cancels; a plain form. */
function Cancel({ view: { booking, cancel_by_request } }: { view: BookingView }) {
  const t = useWords();
  const action = `/bookings/${encodeURIComponent(booking.id)}/cancel?from=booking`;
  return (
    <details className="disclosure">
      <summary>{t("Cancel this booking")}</summary>
      <form method="post" action={action}>
        {cancel_by_request && <p>{t(BY_REQUEST)}</p>}
        <p>
          {t("Once cancelled, {amount} goes back to your wallet.", {
            amount: rupees(booking.amount),
          })}
        </p>
        <SubmitButton label={cancel_by_request ? "Ask to cancel" : "Cancel booking"} />
      </form>
    </details>
  );
}

function TrackingSection({ view: { booking, tracked } }: { view: BookingView }) {
  const t = useWords();
  if (tracked === null) return null;
  return (
    <section className="card">
      <HeadingRow title="Tracking History">
        <a href={`/track/${encodeURIComponent(booking.awb_number)}`}>
          {t("Tracking page for the receiver")}
        </a>
      </HeadingRow>
      {tracked.data.length === 0 ? (
        <Empty title="No tracking events yet" hint="The first one follows when the parcel moves." />
      ) : (
        <Timeline events={tracked.data} />
      )}
    </section>
  );
}

function Parties({ view }: { view: BookingView }) {
  const t = useWords();
  const { booking, contents, references, pickup } = view;
  // The time is said above once a pickup is planned, and so is the place to hand it in. The choice
  // to hand it in does not last: a pickup can be planned later.
  const isSaid = view.planned_pickup !== null || !pickup.is_wanted;
  const pickupFact = isSaid ? pickup.place.join(", ") : <Pickup pickup={pickup} />;
  const pickupFacts = pickupFact === "" ? [] : [{ label: "Pickup", value: pickupFact }];
  const weight = { label: "Actual weight", value: t(kilograms(booking.weight)) };
  return (
    <Card title="Details">
      <div className="booking-parties">
        <Party title="Sender" party={view.sender} />
        <Party title="Receiver" party={view.receiver} />
      </div>
      <Facts items={[...contents, weight, ...references, ...pickupFacts]} />
    </Card>
  );
}

/** Where and when the courier fetches it, if it does. */
function Pickup({ pickup }: { pickup: BookedPickup }) {
  const t = useWords();
  const { place, ready_from: from, ready_until: until } = pickup;
  const times = from !== "" && until !== "" ? `, ${from}–${until}` : "";
  return (place.length === 0 ? t("Yes, at the sender’s address") : place.join(", ")) + times;
}

function Party({ title, party }: { title: string; party: BookedParty }) {
  const t = useWords();
  const company = ["", "Individual", "Default Company", party.name].includes(party.company);
  const lines = [
    company ? "" : party.company,
    ...party.address,
    party.phone && phone(party.phone),
    party.email,
  ];
  return (
    <div>
      <h3>{t(title)}</h3>
      <address className="party">
        <strong>{party.name}</strong>
        {lines
          .filter((line) => line !== "")
          .map((line) => (
            <span key={line}>{line}</span>
          ))}
      </address>
    </div>
  );
}

function Payments({ view: { payments, paid_between: between } }: { view: BookingView }) {
  const t = useWords();
  const [from, to] = between ?? ["", ""];
  return (
    <section className="card">
      <HeadingRow title="Payments">
        {between !== null && (
          <a href={dashboardHref("transactions", 1, { from, to })}>{t("See in statement")}</a>
        )}
      </HeadingRow>
      {payments.length === 0 && <p className="quiet">{t("Nothing was paid for it yet.")}</p>}
      <ul className="rows">
        {payments.map((one, index) => (
          <li key={`${one.id} ${index}`}>
            <p className="payment-line">
              <span>{t(one.description)}</span>
              <span className="quiet">{t(date(one.created_at))}</span>
              <strong className="booking-amount" translate="no">
                {signedRupees(one.transaction_type, one.amount)}
              </strong>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Whom to ask. The AWB goes along, so that nobody has to type it. */
function Help({ awb }: { awb: string }) {
  const t = useWords();
  const { company } = useSite();
  const mail = `mailto:${company.email}${searchOf({ subject: `AWB ${awb}` })}`;
  return (
    <Card title="Report a problem">
      <p>
        {t("Write to us or call, and name the AWB number:")} {awb}
      </p>
      <div className="actions">
        <a className="button" href={mail}>
          {company.email}
        </a>
        <a className="button" href={telephoneHref(company.phone)}>
          {company.phone}
        </a>
      </div>
    </Card>
  );
}
