import { flushSync } from "react-dom";
import { useEarlyInput, useHydrated } from "../lib/hooks";
import { SubmitButton } from "../parts/button";
import { SelectField, useField } from "../parts/field";
import type { Preset, PresetKind } from "../wire";
import { useWords, type UiText } from "../words/words";
import type { Draft } from "./fields";
import { isApplied } from "./presets";

const LABELS: Readonly<Record<PresetKind, string>> = {
  consignor: "Saved Sender",
  consignee: "Saved Receiver",
  package: "Saved Package",
};

export const PRESET_TICKS: Readonly<Record<PresetKind, string>> = {
  consignor: "Save this sender in my address book",
  consignee: "Save this receiver in my address book",
  package: "Save this package in my address book",
};

/** The name of the tick that saves a section. */
export function saveCheckboxName(kind: PresetKind): string {
  return `save-${kind}`;
}

type Props = {
  kind: PresetKind;
  presets: readonly Preset[];
  /** The form's first values. */
  draft: Draft | null;
  /** Why a preset cannot be chosen here; null when it can. */
  problem: (preset: Preset) => UiText | null;
  onChoose: (preset: Preset) => void;
};

/** Saved addresses or packages to fill in; nothing where none is saved. */
export function PresetSelect(props: Props) {
  const presets = props.presets.filter(({ kind }) => kind === props.kind);
  return presets.length === 0 ? null : <PresetOffer {...props} presets={presets} />;
}

/** For `presets` of this kind only. */
function PresetOffer({ kind, presets, draft, problem, onChoose }: Props) {
  const t = useWords();
  const hydrated = useHydrated();
  const name = `preset-${kind}`;
  const { id } = useField(name);
  const initialId = presets.find((preset) => isApplied(preset, draft))?.id ?? "";
  const choices = presets.map((preset) => {
    const why = problem(preset);
    const label =
      why === null ? preset.name : t("{name} ({why})", { name: preset.name, why: t(why) });
    return { value: preset.id, label, disabled: why !== null };
  });
  const choose = (presetId: string) => {
    const preset = presets.find((one) => one.id === presetId);
    if (preset === undefined) return;
    // The form is drawn anew with it; whoever chose goes on from here.
    flushSync(() => onChoose(preset));
    const select = document.getElementById(id);
    const closed = select?.closest("details:not([open])")?.querySelector("summary");
    (closed ?? select)?.focus();
  };
  useEarlyInput(() => {
    const select = document.getElementById(id);
    const selectedId = select instanceof HTMLSelectElement ? select.value : "";
    if (selectedId !== initialId) choose(selectedId);
  });
  return (
    <div className="preset-choice">
      <SelectField
        name={name}
        label={LABELS[kind]}
        prompt={kind === "package" ? "Choose a saved package" : "Choose a saved address"}
        choices={choices}
        defaultValue={initialId}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      {!hydrated && <SubmitButton name="fill" value={kind} label="Fill in" />}
    </div>
  );
}
