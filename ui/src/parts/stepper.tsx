import { useWords } from "../words/words";

type Props = {
  /** Counted from 1. */
  step: number;
  titles: readonly string[];
  /** The step's short name, for a phone. */
  short: string;
};

/** Where in a sequence of steps the customer stands. */
export function Stepper({ step, titles, short }: Props) {
  const t = useWords();
  return (
    <div className="stepper">
      <p className="stepper-text" aria-live="polite">
        <span>{t("Step {step} of {steps}", { step, steps: titles.length })}</span>
        <span className="stepper-short" key={short} aria-hidden="true">
          {` · ${t(short)}`}
        </span>
        <span className="visually-hidden">{`: ${t(titles[step - 1] ?? "")}`}</span>
      </p>
      <ol>
        {titles.map((title, index) => (
          <li
            key={title}
            className={index + 1 < step ? "stepper-done" : undefined}
            aria-current={index + 1 === step ? "step" : undefined}
          >
            <span>{t(title)}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
