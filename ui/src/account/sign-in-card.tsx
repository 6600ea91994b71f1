import type { ReactNode } from "react";
import { Card } from "../parts/heading";
import { ScreenReaderText } from "../parts/unseen";
import { useWords } from "../words/words";

type Props = { title: string; href: string; isSetUp: boolean; children: ReactNode };

/** A way to sign in, with a link to the page that changes it. */
export function SignInCard({ title, href, isSetUp, children }: Props) {
  const t = useWords();
  return (
    <Card title={title}>
      <p>{children}</p>
      <p>
        <a className="button" href={href}>
          {t(isSetUp ? "Change" : "Set up")}
          <ScreenReaderText>{t(title)}</ScreenReaderText>
        </a>
      </p>
    </Card>
  );
}
