import { ButtonLink } from "../parts/button";
import { PageCard } from "../parts/heading";
import { useWords } from "../words/words";

export default function NotFound() {
  const t = useWords();
  return (
    <PageCard title="Page not found">
      <p>
        {t("There is no page at this address. It may have moved, or the link may be mistyped.")}
      </p>
      <p className="actions">
        <ButtonLink kind="primary" href="/dashboard" label="Go to Dashboard" />
        <ButtonLink href="/track" label="Track a shipment" />
      </p>
    </PageCard>
  );
}
