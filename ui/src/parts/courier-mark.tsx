const HUES = 6;

/** A courier's initials on a ground of its own, so that the eye finds it again in a list. */
export function CourierMark({ name }: { name: string }) {
  const hue = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % HUES;
  return (
    <span
      className={`courier-mark courier-mark-${hue}`}
      data-initials={initials(name)}
      aria-hidden="true"
    />
  );
}

/** Of two words their first letters, of one its first two. */
export function initials(name: string): string {
  const [first = "", second] = name.trim().split(/[\s_-]+/);
  const letters = second === undefined ? first.slice(0, 2) : first.slice(0, 1) + second.slice(0, 1);
  return letters.toUpperCase();
}
