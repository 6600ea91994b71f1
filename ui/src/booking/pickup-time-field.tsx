import { dateTime } from "../lib/format";
import { SelectField } from "../parts/field";
import type { PickupChoice } from "../wire";
import { useWords, type UiText } from "../words/words";
import { pickupTime } from "./pickup-time";

/** As the server says it of such a time. */
export const TIME_IS_OVER = "This time cannot be chosen any more. Please choose another.";

type Props = {
  name: string;
  choices: readonly PickupChoice[];
  prompt: string;
  /** Chosen before; it may be over by now. */
  chosen?: string;
  hint?: string;
  error?: UiText | undefined;
  required?: boolean;
};

/** The day and time of a pickup, among those that its courier offers. */
export function PickupTimeField(props: Props) {
  const t = useWords();
  const { name, choices, prompt, chosen = "", hint, error, required = false } = props;
  const closesAt = choices[0]?.closes_at ?? null;
  const hints = [
    ...(hint === undefined ? [] : [t(hint)]),
    ...(closesAt === null
      ? []
      : [t("The first one can be chosen until {time}.", { time: t(dateTime(closesAt)) })]),
  ];
  const isOver = chosen !== "" && !choices.some(({ when }) => when === chosen);
  return (
    <SelectField
      name={name}
      label="Day and time"
      prompt={prompt}
      hint={hints.length === 0 ? undefined : hints.join(" ")}
      error={error ?? (isOver ? TIME_IS_OVER : undefined)}
      required={required}
      choices={choices.map((choice) => ({ value: choice.when, label: pickupTime(t, choice) }))}
      defaultValue={isOver ? "" : chosen}
    />
  );
}
