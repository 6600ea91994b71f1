import { useWords } from "../words/words";

type Props = { lines: number; label: string };

/**
 * Grey lines in the place of content that is still loading, so that nothing shifts when it comes.
 */
export function Skeleton({ lines, label }: Props) {
  const t = useWords();
  return (
    <div className="skeleton" role="status" aria-label={t(label)}>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} className="skeleton-line" />
      ))}
    </div>
  );
}
