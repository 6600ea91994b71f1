import { useWords } from "../words/words";

type Bar = {
  /** Under its bar. */
  name: string;
  value: number;
  /** As it is said and shown. */
  words: string;
};

type Props = { label: string; values: readonly Bar[] };

const BAR = 28;
const STEP = 40;
const HEIGHT = 48;

/** A few bars with the last value in words; drawn on the server, so it is there at once. */
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
        viewBox={`0 0 ${width} ${HEIGHT + 16}`}
        width={width}
        height={HEIGHT + 16}
        role="img"
        aria-label={`${t(label)}: ${all}`}
      >
        {values.map(({ name, value, words }, index) => {
          // Something is never drawn as nothing.
          const height = value > 0 ? Math.max(3, Math.round((HEIGHT * value) / highest)) : 1;
          return (
            <g key={name}>
              <title>{`${t(name)}: ${words}`}</title>
              <rect
                x={index * STEP + (STEP - BAR) / 2}
                y={HEIGHT - height}
                width={BAR}
                height={height}
              />
              <text x={index * STEP + STEP / 2} y={HEIGHT + 13}>
                {t(name)}
              </text>
            </g>
          );
        })}
      </svg>
    </figure>
  );
}
