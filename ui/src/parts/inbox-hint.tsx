import { useWords } from "../words/words";

/** In the sandbox, a link to the messages it does not send; outside of it, nothing. */
export function InboxHint({ url }: { url: string | null }) {
  const t = useWords();
  if (url === null) return null;
  return (
    <p>
      {t("Sandbox: no real messages are sent. You can")}{" "}
      <a href={url} target="_blank" rel="noreferrer">
        {t("read the message in a new tab")}
      </a>
      .
    </p>
  );
}
