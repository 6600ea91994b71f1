import type { ComponentProps } from "react";
import { useWords } from "../words/words";
import { Heading } from "./heading";

type Props = ComponentProps<"section"> & { title: string };

/** A titled part of a page. */
export function Card({ title, narrow = false, children, ...rest }: Props & { narrow?: boolean }) {
  const t = useWords();
  return (
    <section className={narrow ? "card card-narrow" : "card"} {...rest}>
      <h2>{t(title)}</h2>
      {children}
    </section>
  );
}

/** A card that is the whole page: its title is the page's heading. */
export function PageCard({ title, children, ...rest }: Props) {
  const t = useWords();
  return (
    <section className="card card-narrow" {...rest}>
      <Heading>{t(title)}</Heading>
      {children}
    </section>
  );
}
