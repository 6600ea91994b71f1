import type { ComponentProps, ReactNode } from "react";
import { useWords } from "../words/words";

/** A screen's one h1. It can take focus, so that a navigation starts reading here. */
export function Heading({ children }: { children: ReactNode }) {
  return <h1 tabIndex={-1}>{children}</h1>;
}

type RowProps = { title: string; children: ReactNode };

/** A section's heading with what can be done about it on the right. */
export function HeadingRow({ title, children }: RowProps) {
  const t = useWords();
  return (
    <div className="heading-row">
      <h2>{t(title)}</h2>
      {children}
    </div>
  );
}

type CardProps = ComponentProps<"section"> & { title: string };

/** A titled part of a page. */
export function Card({ title, narrow, children, ...rest }: CardProps & { narrow?: boolean }) {
  const t = useWords();
  return (
    <section className={narrow === true ? "card card-narrow" : "card"} {...rest}>
      <h2>{t(title)}</h2>
      {children}
    </section>
  );
}

/** A card that is the whole page: its title is the page's heading. */
export function PageCard({ title, children, ...rest }: CardProps) {
  const t = useWords();
  return (
    <section className="card card-narrow" {...rest}>
      <Heading>{t(title)}</Heading>
      {children}
    </section>
  );
}
