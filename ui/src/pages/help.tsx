import { telephoneHref } from "../lib/format";
import { Fragment, type ReactNode } from "react";
import { DAMAGE_REPORT_DAYS_MAX } from "../lib/limits";
import { useSite } from "../lib/site";
import { Heading } from "../parts/heading";
import { ContactDetails } from "../parts/policy";
import { RECHARGE_MIN_RUPEES, type GrievanceOfficer, type HelpData } from "../wire";
import { HelpInHindi } from "../words/hi-help";

/** Each with the part of the page's address that leads to it. */
export type Question = { id: string; title: string; answer: ReactNode };

const QUESTIONS: readonly Question[] = [
  {
    id: "book",
    title: "How do I book a courier?",
    answer: (
      <p>
        Open <a href="/courier">Courier</a>, enter both PIN codes and the weight, and choose one of
        the services. Then enter who sends and who receives, look over everything once more, and
        confirm. Your wallet pays, and you print the label.
      </p>
    ),
  },
  {
    id: "pay",
    title: "How do I pay?",
    answer: (
      <p>
        From your wallet. <a href="/recharge">Recharge</a> it by UPI, card or net banking, with ₹
        {RECHARGE_MIN_RUPEES} or more. Every recharge has a receipt and every booking a tax invoice.
      </p>
    ),
  },
  {
    id: "not-credited",
    title: "Money left my bank, but my wallet does not show it",
    answer: (
      <p>
        Open <a href="/recharge">Recharge</a>: unfinished payments are listed there and checked
        automatically. What the payment provider received is credited once; what it did not receive
        goes back to you by your bank.
      </p>
    ),
  },
  {
    id: "where",
    title: "Where is my parcel?",
    answer: (
      <p>
        <a href="/track">Track</a> it by its AWB number, which is on the label and in your bookings.
        The receiver can do the same without an account.
      </p>
    ),
  },
  {
    id: "late",
    title: "My parcel is late",
    answer: (
      <p>
        The <a href="/track">tracking page</a> shows the day on which it is expected and the latest
        update. If that day has passed, write to us with the AWB number: we ask the courier and tell
        you what it answers. The receiver can request a call on the tracking page.
      </p>
    ),
  },
  {
    id: "cancel",
    title: "How do I cancel?",
    answer: (
      <p>
        Until the courier has the parcel, by <b>Cancel</b> beside the booking in{" "}
        <a href="/dashboard?tab=bookings">your bookings</a>. The whole price goes back to your
        wallet. Once the hours of a pickup by our own driver have begun, it is a request: we look if
        the driver has it. The{" "}
        <a href="/refund-cancellation-policy">refund and cancellation policy</a> has the details.
      </p>
    ),
  },
  {
    id: "weight",
    title: "The courier says that my parcel weighs more",
    answer: (
      <p>
        Open <a href="/wallet/weight-differences">Weight differences</a>. You see what was measured
        and what it costs, and accept it or say why it is wrong.
      </p>
    ),
  },
  {
    id: "lost",
    title: "My parcel is lost or damaged",
    answer: (
      <p>
        Write to us with the AWB number, what happened and photographs, within{" "}
        {DAMAGE_REPORT_DAYS_MAX} days of receipt. We look into it with the courier and tell you the
        outcome.
      </p>
    ),
  },
  {
    id: "forbidden",
    title: "What may I not send?",
    answer: (
      <p>
        Explosives and inflammable goods, weapons, narcotics, currency, perishable food, live
        animals, counterfeit goods, and whatever else the law or the courier forbids.
      </p>
    ),
  },
  {
    id: "password",
    title: "Someone else may know my password",
    answer: (
      <p>
        Choose another one in <a href="/account">your account</a>, log out other devices there, and
        turn on two-step login. Then look through your statement, and write to us if something in it
        is not yours.
      </p>
    ),
  },
];

export default function Help({ data }: { data: HelpData }) {
  const { language } = useSite();
  if (language === "hi") return <HelpInHindi officer={data.officer} />;
  return (
    <Questions
      title="Help"
      hours="We answer between 9 am and 6 pm."
      contents="On this page"
      questions={[
        ...QUESTIONS,
        {
          id: "complaint",
          title: "I have a complaint",
          answer: (
            <>
              <p>
                Write to our grievance officer. You get an acknowledgement within 48 hours and an
                answer within a month.
              </p>
              <Officer officer={data.officer} email="Email" phone="Phone" />
            </>
          ),
        },
      ]}
    />
  );
}

type Props = { title: string; hours: string; contents: string; questions: readonly Question[] };

/** The contact details come first, because many have come for them. */
export function Questions({ title, hours, contents, questions }: Props) {
  return (
    <article className="prose">
      <Heading>{title}</Heading>
      <ContactDetails />
      <p>{hours}</p>
      <h2>{contents}</h2>
      <ul>
        {questions.map((question) => (
          <li key={question.id}>
            <a href={`#${question.id}`}>{question.title}</a>
          </li>
        ))}
      </ul>
      {questions.map((question) => (
        <Fragment key={question.id}>
          <h2 id={question.id}>{question.title}</h2>
          {question.answer}
        </Fragment>
      ))}
    </article>
  );
}

type OfficerProps = { officer: GrievanceOfficer; email: string; phone: string };

export function Officer({ officer, email, phone }: OfficerProps) {
  return (
    <address>
      {officer.name}
      <br />
      {email}: <a href={`mailto:${officer.email}`}>{officer.email}</a>
      <br />
      {phone}:{" "}
      <a className="one-line" href={telephoneHref(officer.phone)}>
        {officer.phone}
      </a>
    </address>
  );
}
