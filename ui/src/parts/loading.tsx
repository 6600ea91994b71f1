import { useState } from "react";
import { useLoad } from "../lib/use-load";
import { useWords } from "../words/words";
import { ErrorBox } from "./feedback";
import { Skeleton } from "./skeleton";

type Props = {
  load: () => Promise<void>;
  onLoaded: () => void;
  /** Where one tries again. */
  href: string;
};

/** Stands in for what is still on its way. */
export function Loading({ load, onLoaded, href }: Props) {
  const t = useWords();
  const [failed, setFailed] = useState(false);
  useLoad("once", load, onLoaded, () => setFailed(true));
  if (!failed) return <Skeleton lines={8} label="Loading" />;
  return (
    <ErrorBox>
      {t("This page could not be loaded.")} <a href={href}>{t("Try again")}</a>
    </ErrorBox>
  );
}
