import { Heading } from "../parts/heading";
import { useWords } from "../words/words";

export default function NotFound() {
  const t = useWords();
  return (
    <section className="card card-narrow">
      <Heading>{t("Page not found")}</Heading>
      <p>
        {t("There is no page at this address. It may have moved, or the link may be mistyped.")}
      </p>
      <p className="actions">
        <a className="button button-primary" href="/dashboard">
          {t("Go to Dashboard")}
        </a>
        <a className="button" href="/track">
          {t("Track a shipment")}
        </a>
      </p>
    </section>
  );
}
