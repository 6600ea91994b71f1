import type { ReactNode } from "react";
import { useSite } from "../lib/site";
import { Heading } from "./heading";

type Props = { title: string; children: ReactNode };

const ENGLISH = { reach: "How to reach us", email: "E-mail", phone: "Phone" };
/** Which of the two texts counts in law; the Hindi one says it. */
const COUNTS =
  "यह हिन्दी अनुवाद आपकी सुविधा के लिए है। कानूनी रूप से अंग्रेज़ी पाठ मान्य है: " +
  "दोनों में अंतर हो, तो अंग्रेज़ी पाठ लागू होगा।";
const HINDI = { reach: "हमसे संपर्क", email: "ई-मेल", phone: "फ़ोन" };

/** A legal page: readable lines, plain headings, and who is speaking at the end. */
export function Policy({ title, children }: Props) {
  const { company, language } = useSite();
  const words = language === "hi" ? HINDI : ENGLISH;
  return (
    <article className="prose">
      <Heading>{title}</Heading>
      {children}
      <h2>{words.reach}</h2>
      <address>
        {company.name}
        <br />
        {company.address}
        <br />
        {words.email}: <a href={`mailto:${company.email}`}>{company.email}</a>
        <br />
        {words.phone}: <a href={`tel:${company.phone.replace(/[^+\d]/g, "")}`}>{company.phone}</a>
        <br />
        {`GSTIN: ${company.gstin}`}
      </address>
      {language === "hi" && <p className="side-note">{COUNTS}</p>}
    </article>
  );
}
