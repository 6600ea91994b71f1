/** Completes the words before it for screen readers, which may read a link or a button alone. */
export function ScreenReaderText({ children }: { children: string }) {
  return <span className="visually-hidden">{` ${children}`}</span>;
}
