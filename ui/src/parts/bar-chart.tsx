import { useWords } from "../words/words";

type Bar = {
  /** Under its bar. */
  name: string;
  value: number;
  /** As it is said. */
  words: string;
  /** A few letters, above the bar. */
  short: string;
};

type Props = { label: string; values: readonly Bar[] };

const BAR = 28;
const STEP = 40;
const HEIGHT = 48;
/** Of a line of text above or below the bars. */
const LINE = 16;

/** A few bars with their values, the last one in full. Drawn on the server: it is there at once. */
export function BarChart({ label, values }: Props) {
  const t = useWords();
  const highest = Math.max(1, ...values.map(({ value }) => value));
  const all = values.map(({ name, words }) => `${t(name)} ${words}`).join(", ");
  const width = values.length * STEP;
  return (
    <figure className="bar-chart">
      <figcaption>
        <span>{t(label)}</span>
        <strong>{values.at(-1)?.words}</strong>
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${LINE + HEIGHT + LINE}`}
        width={width}
        height={LINE + HEIGHT + LINE}
        role="img"
        aria-label={`${t(label)}: ${all}`}
      >
        {values.map(({ name, value, words, short }, index) => {
          // Something is never drawn as nothing.
          const height = value > 0 ? Math.max(3, Math.round((HEIGHT * value) / highest)) : 1;
          const top = LINE + HEIGHT - height;
          const middle = index * STEP + STEP / 2;
          return (
            <g key={name}>
              <title>{`${t(name)}: ${words}`}</title>
              <rect x={index * STEP + (STEP - BAR) / 2} y={top} width={BAR} height={height} />
              {value > 0 && (
                <text x={middle} y={top - 4}>
                  {short}
                </text>
              )}
              <text x={middle} y={LINE + HEIGHT + 13}>
                {t(name)}
              </text>
            </g>
          );
        })}
      </svg>
    </figure>
  );
}
