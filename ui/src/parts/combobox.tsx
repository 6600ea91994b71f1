import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { useEarlyInput } from "../lib/hooks";
import { useWords } from "../words/words";
import { describedBy, FieldFrame, useField } from "./field";

type Option = { key: string; value: string; label: string };

type Props = {
  name: string;
  label: string;
  options: readonly Option[];
  /** The options that fit, the best first. */
  search: (text: string) => readonly Option[];
  /** The option that goes by exactly this name. */
  named: (text: string) => Option | undefined;
  onType?: (text: string) => void;
  defaultValue: string;
  placeholder?: string;
};

/** Options drawn at once: a phone shows fewer, and typing narrows them down. */
const SHOWN_MAX = 50;

/**
 * A list to search by typing. Works with the keyboard alone, and the chosen value goes into the
 * form. Until a script runs it is a text field with the browser's own suggestions, and what was
 * typed goes into the form.
 */
export function Combobox(props: Props) {
  const t = useWords();
  const { name, label, options, search, named, onType, defaultValue, placeholder } = props;
  const { id, error } = useField(name);
  const listId = `${id}-list`;
  const first = options.find((option) => option.value === defaultValue);
  const [value, setValue] = useState(first?.value ?? "");
  const [inputText, setInputText] = useState(first?.label ?? defaultValue);
  const [scripted, setScripted] = useState(false);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const hidden = useRef<HTMLInputElement>(null);
  const announced = useRef(value);
  useEarlyInput(() => {
    const earlyText = input.current?.value ?? "";
    const option = named(earlyText);
    announced.current = option?.value ?? "";
    setInputText(earlyText);
    setValue(announced.current);
    setScripted(true);
  });
  useEffect(() => {
    if (announced.current === value) return;
    announced.current = value;
    // A hidden input does not say by itself that it changed.
    hidden.current?.dispatchEvent(new Event("input", { bubbles: true }));
  }, [value]);
  const chosenOption = options.find((option) => option.value === value);
  const matches = search(inputText === chosenOption?.label ? "" : inputText).slice(0, SHOWN_MAX);

  const show = (text: string) => {
    setInputText(text);
    if (input.current !== null) input.current.value = text;
  };
  const choose = (option: Option | undefined) => {
    if (option === undefined) return;
    setValue(option.value);
    show(option.label);
    setOpen(false);
  };
  const close = () => {
    setOpen(false);
    // A name typed out in full counts as chosen; anything else falls back to the last choice.
    const option = named(inputText);
    if (option !== undefined) choose(option);
    else if (inputText.trim() === "") setValue("");
    else show(chosenOption?.label ?? "");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      setActive(open ? Math.min(matches.length - 1, Math.max(0, active + step)) : 0);
      setOpen(true);
    } else if (event.key === "Enter" && open) {
      event.preventDefault();
      choose(matches[active]);
    } else if (event.key === "Escape") {
      setOpen(false);
    }
  };
  const searchable = {
    role: "combobox",
    "aria-expanded": open,
    "aria-controls": open ? listId : undefined,
    "aria-autocomplete": "list",
    "aria-activedescendant": open && matches.length > 0 ? `${listId}-${active}` : undefined,
    onClick: () => setOpen(true),
    onKeyDown,
    onBlur: close,
  } as const;
  return (
    <FieldFrame id={id} label={label} error={error}>
      <div className="combobox">
        <input
          className="input"
          id={id}
          autoComplete="off"
          placeholder={placeholder && t(placeholder)}
          defaultValue={inputText}
          ref={input}
          {...(scripted ? searchable : { name, list: listId })}
          {...describedBy(id, undefined, error)}
          onChange={(event) => {
            setInputText(event.currentTarget.value);
            onType?.(event.currentTarget.value);
            setActive(0);
            setOpen(true);
          }}
        />
        {scripted ? (
          <input type="hidden" name={name} value={value} ref={hidden} />
        ) : (
          <datalist id={listId}>
            {options.map((option) => (
              <option key={option.key} value={option.label} />
            ))}
          </datalist>
        )}
        {open && <List id={listId} options={matches} active={active} onChoose={choose} />}
      </div>
    </FieldFrame>
  );
}

type ListProps = {
  id: string;
  options: readonly Option[];
  active: number;
  onChoose: (option: Option) => void;
};

function List({ id, options, active, onChoose }: ListProps) {
  const t = useWords();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <div className="combobox-list" ref={list} id={id} role="listbox" aria-label={t("Choices")}>
      {options.map((option, index) => (
        // The keyboard reaches options through the input: aria-activedescendant.
        // eslint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={option.key}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option)}
        >
          {option.label}
        </div>
      ))}
      {options.length === 0 && <p className="combobox-none">{t("Nothing found")}</p>}
    </div>
  );
}
