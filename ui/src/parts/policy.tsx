import type { ReactNode } from "react";
import { useSite } from "../lib/site";
import { Heading } from "./heading";

type Props = { title: string; children: ReactNode };

/** A legal page: readable lines, plain headings, and who is speaking at the end. */
export function Policy({ title, children }: Props) {
  const { company } = useSite();
  return (
    <article className="prose">
      <Heading>{title}</Heading>
      {children}
      <h2>How to reach us</h2>
      <address>
        {company.name}
        <br />
        {company.address}
        <br />
        E-mail: <a href={`mailto:${company.email}`}>{company.email}</a>
        <br />
        Phone: <a href={`tel:${company.phone.replace(/[^+\d]/g, "")}`}>{company.phone}</a>
        <br />
        {`GSTIN: ${company.gstin}`}
      </address>
    </article>
  );
}
