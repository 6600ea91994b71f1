import { telephoneHref } from "../lib/format";
import type { ReactNode } from "react";
import { useSite } from "../lib/site";
import { Heading } from "./heading";

/** A day from which the text is in force, as customers agreed to it: the server knows it too. */
type Version = { day: string; english: string; hindi: string };
type Props = { title: string; version?: Version; children: ReactNode };

/** Of the terms and of the privacy policy: `Agreed::version` says the same. */
export const POLICY_VERSION: Version = {
  day: "2026-11-30",
  english: "In force from 30 November 2026.",
  hindi: "30 नवंबर 2026 से लागू।",
};

const ENGLISH = { reach: "How to reach us", email: "Email", phone: "Phone" };
/** The English text counts in law. */
const COUNTS =
  "यह हिन्दी अनुवाद आपकी सुविधा के लिए है। कानूनी रूप से अंग्रेज़ी पाठ मान्य है: " +
  "दोनों में अंतर हो, तो अंग्रेज़ी पाठ लागू होगा।";
const HINDI = { reach: "हमसे संपर्क", email: "ई-मेल", phone: "फ़ोन" };

/** A legal page: readable lines, plain headings, and who is speaking at the end. */
export function Policy({ title, version, children }: Props) {
  const { language } = useSite();
  return (
    <article className="prose">
      <Heading>{title}</Heading>
      {version !== undefined && (
        <p className="quiet">
          <time dateTime={version.day}>{language === "hi" ? version.hindi : version.english}</time>
        </p>
      )}
      {children}
      <ContactDetails />
      {language === "hi" && <p className="side-note">{COUNTS}</p>}
    </article>
  );
}

/** Who we are, and how to reach us. */
export function ContactDetails() {
  const { company, language } = useSite();
  const words = language === "hi" ? HINDI : ENGLISH;
  return (
    <>
      <h2>{words.reach}</h2>
      <address>
        {company.name}
        <br />
        {company.address}
        <br />
        {words.email}: <a href={`mailto:${company.email}`}>{company.email}</a>
        <br />
        {words.phone}:{" "}
        <a className="one-line" href={telephoneHref(company.phone)}>
          {company.phone}
        </a>
        <br />
        {`GSTIN: ${company.gstin}`}
      </address>
    </>
  );
}
