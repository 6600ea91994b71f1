import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { useWords } from "../words/words";
import { describedBy, FieldFrame, useField } from "./field";

type Option = { key: string; value: string; label: string };

type Props = {
  name: string;
  label: string;
  options: readonly Option[];
  /** The options that fit, the best first. */
  search: (typed: string) => readonly Option[];
  defaultValue: string;
  placeholder?: string;
};

/** How many options are drawn at once: a phone shows fewer, and typing narrows them down. */
const SHOWN_MAX = 50;

/**
 * A list to search by typing. Works with the keyboard alone; the chosen value goes into the form.
 */
export function Combobox(props: Props) {
  const t = useWords();
  const { name, label, options, search, defaultValue, placeholder } = props;
  const { id, error } = useField(name);
  const listId = `${id}-list`;
  const chosenFirst = options.find((option) => option.value === defaultValue);
  const [value, setValue] = useState(chosenFirst?.value ?? "");
  const [typed, setTyped] = useState(chosenFirst?.label ?? "");
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const hidden = useRef<HTMLInputElement>(null);
  const told = useRef(value);
  useEffect(() => {
    if (told.current === value) return;
    told.current = value;
    // A hidden input does not say by itself that it changed.
    hidden.current?.dispatchEvent(new Event("input", { bubbles: true }));
  }, [value]);
  const chosen = options.find((option) => option.value === value);
  const found = search(typed === chosen?.label ? "" : typed).slice(0, SHOWN_MAX);

  const choose = (option: Option | undefined) => {
    if (option === undefined) return;
    setValue(option.value);
    setTyped(option.label);
    setOpen(false);
  };
  const close = () => {
    setOpen(false);
    // A name typed out in full counts as chosen; anything else falls back to the last choice.
    const exact = search(typed).find(
      (option) => option.label.toLowerCase() === typed.trim().toLowerCase(),
    );
    if (exact !== undefined) choose(exact);
    else if (typed.trim() === "") setValue("");
    else setTyped(chosen?.label ?? "");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      setActive(open ? Math.min(found.length - 1, Math.max(0, active + step)) : 0);
      setOpen(true);
    } else if (event.key === "Enter" && open) {
      event.preventDefault();
      choose(found[active]);
    } else if (event.key === "Escape") {
      setOpen(false);
    }
  };
  return (
    <FieldFrame id={id} label={label} error={error}>
      <div className="combobox">
        <input
          className="input"
          id={id}
          role="combobox"
          autoComplete="off"
          placeholder={placeholder && t(placeholder)}
          aria-expanded={open}
          aria-controls={open ? listId : undefined}
          aria-autocomplete="list"
          aria-activedescendant={open && found.length > 0 ? `${listId}-${active}` : undefined}
          {...describedBy(id, undefined, error)}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setActive(0);
            setOpen(true);
          }}
          onClick={() => setOpen(true)}
          onKeyDown={onKeyDown}
          onBlur={close}
        />
        <input type="hidden" name={name} value={value} ref={hidden} />
        {open && <List id={listId} options={found} active={active} onChoose={choose} />}
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
