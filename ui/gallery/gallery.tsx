import type { ReactNode } from "react";
import { Layout } from "../src/parts/layout";
import { Heading } from "../src/parts/heading";
import { Notices, type NoticesProps } from "../src/parts/notices";
import { ActionParts, ChoiceParts, FieldParts } from "./controls";
import { DataParts, FigureParts, TableParts } from "./data";
import { FeedbackParts, MovingParts } from "./feedback";

const nothing = () => undefined;

const NOTICES: NoticesProps = {
  alert: { kind: "error", text: "Failed to load bookings" },
  toast: { kind: "success", text: "Registration successful! Please login with your credentials." },
  closable: true,
  clearAlert: nothing,
  clearToast: nothing,
};

const ASHA = {
  first_name: "Asha",
  last_name: "Rao",
  username: "asha",
  email: "asha@example.com",
  company_name: "Asha Handicrafts",
  balance: 12345.5,
  gstin: "",
  passkeys: 0,
  phone: "9876543210",
  phone_confirmed: true,
};

/** All parts of the user interface in all their states, in what surrounds every screen. */
export function Gallery() {
  return (
    <Layout user={ASHA} pathname="/dashboard" notices={<Notices {...NOTICES} />} onLogout={nothing}>
      <Heading>Parts</Heading>
      <div className="stack">
        <ActionParts />
        <FieldParts />
        <ChoiceParts />
        <FeedbackParts />
        <MovingParts />
        <DataParts />
        <TableParts />
        <FigureParts />
      </div>
    </Layout>
  );
}

type CardProps = { title: string; children: ReactNode };

/** One kind of part. */
export function Parts({ title, children }: CardProps) {
  return (
    <section className="card" aria-label={title}>
      <h2>{title}</h2>
      <div className="stack">{children}</div>
    </section>
  );
}
