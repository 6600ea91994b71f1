import { createContext, useContext } from "react";

/**
 * The English text is the key, so that every text stands in the source where it is shown. Braces in
 * a key hold what differs: "Page {page} of {pages}". A name in braces that begins with # stands for
 * figures only.
 */
export type Dictionary = Readonly<Record<string, string>>;

/** Gives a text of the interface in the reader's language; one that is not known stays English. */
export type Words = (text: string) => string;

/** English needs no dictionary. */
export const englishWords: Words = (text) => text;

export const WordsContext = createContext(englishWords);

export function useWords(): Words {
  return useContext(WordsContext);
}

/** A text of the interface where there is no component of its own, such as in a table's cell. */
export function TranslatedText({ text }: { text: string }) {
  return useWords()(text);
}

/** The words of a language, which may become more while one reads. */
type Vocabulary = { words: Words; learn: (dictionary: Dictionary) => void };

export function createVocabulary(): Vocabulary {
  const known = new Map<string, string>();
  const patterns: Pattern[] = [];
  const words: Words = (text) => known.get(text) ?? filled(text) ?? list(text) ?? text;

  const filled = (text: string) => {
    for (const { key, begin, pattern, names } of patterns) {
      const found = text.startsWith(begin) ? pattern.exec(text) : null;
      if (found === null) continue;
      const parts = new Map(names.map((name, index) => [name, words(found[index + 1] ?? "")]));
      return known.get(key)?.replace(PLACE, (_place, name: string) => parts.get(name) ?? "");
    }
    return undefined;
  };
  // Names of fields, one after the other.
  const list = (text: string) => {
    const parts = text.split(", ");
    return parts.length > 1 && parts.every((part) => known.has(part))
      ? parts.map(words).join(", ")
      : undefined;
  };
  const learn = (dictionary: Dictionary) => {
    for (const [key, text] of Object.entries(dictionary)) {
      known.set(key, text);
      if (key.includes("{")) patterns.push(patternOf(key));
    }
    // "{n} shipments are on their way" before "{browser} on {system}", whichever was learnt first.
    patterns.sort((one, other) => other.said - one.said);
  };
  return { words, learn };
}

const PLACE = /\{(#?\w+)\}/g;

type Pattern = {
  key: string;
  begin: string;
  pattern: RegExp;
  names: string[];
  /** How much of the text it knows itself. */
  said: number;
};

function patternOf(key: string): Pattern {
  const names = [...key.matchAll(PLACE)].map((match) => match[1] ?? "");
  const literals = key
    .split(/\{#?\w+\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const source = literals.reduce((all, literal, index) => {
    const any = names[index - 1]?.startsWith("#") === true ? "([\\d.,:]+)" : "(.+?)";
    return all + any + literal;
  });
  return {
    key,
    begin: key.slice(0, key.indexOf("{")),
    pattern: new RegExp(`^${source}$`, "s"),
    names,
    said: key.replace(PLACE, "").length,
  };
}
