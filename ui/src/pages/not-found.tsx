import { Heading } from "../parts/heading";

export function NotFound() {
  return (
    <section className="card card-narrow">
      <Heading>Page not found</Heading>
      <p>There is no page at this address. It may have moved, or the link may be mistyped.</p>
      <p className="actions">
        <a className="button button-primary" href="/dashboard">
          Go to Dashboard
        </a>
        <a className="button" href="/track">
          Track a shipment
        </a>
      </p>
    </section>
  );
}
