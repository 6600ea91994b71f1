import { useHydrated } from "../lib/hooks";
import { useWords } from "../words/words";
import { ButtonLink } from "./button";

type Props = { path: string; awb: string; status: string; label: string };

/**
 * Sends the tracking page's address to somebody. Our own address is known only in the browser;
 * before that the number alone is shared.
 */
export function ShareLink({ path, awb, status, label }: Props) {
  const t = useWords();
  const hydrated = useHydrated();
  const where = hydrated ? ` ${window.location.origin}${path}` : "";
  const text = t("Shipment {awb}: {status}.", { awb, status: t(status) }) + where;
  return (
    <ButtonLink
      href={`https://wa.me/?text=${encodeURIComponent(text)}`}
      target="_blank"
      rel="noreferrer"
      label={label}
    />
  );
}
