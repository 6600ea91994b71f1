import { useWords } from "../words/words";
import { Button } from "./button";
import { ErrorBox } from "./feedback";

export type Reloadable = {
  /** Ready to show; null when the last load succeeded. */
  error: string | null;
  loading: boolean;
  /** Asks the server again. */
  reload: () => void;
};

/** Says why a section could not be loaded and offers another try; nothing when it was loaded. */
export function LoadFailed({ resource }: { resource: Reloadable }) {
  const t = useWords();
  const { error, loading, reload } = resource;
  if (error === null) return null;
  return (
    <ErrorBox>
      <p>{t(error)}</p>
      <Button busy={loading} onClick={reload}>
        {t("Try again")}
      </Button>
    </ErrorBox>
  );
}
