import { SHAPES } from "../icons/shapes";

export type IconName = keyof typeof SHAPES;

/** A picture beside words that say the same; a screen reader hears the words alone. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={SHAPES[name]} />
    </svg>
  );
}
