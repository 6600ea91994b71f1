import { createContext, useContext } from "react";

/**
 * The English text is the key, so that every text stands in the source where it is shown. Braces in
 * a key hold what differs. The interface gives the values of "Page {page} of {pages}" beside it.
 * The server sends finished sentences, which are recognised by a pattern: in the key of such a
 * sentence "{*name}" stands for any text and "{#count}" for figures.
 */
export type Dictionary = Readonly<Record<string, string>>;

/** By the names in braces. A sentence is translated, a string stays as it is. */
type Values = Readonly<Record<string, string | number | Sentence>>;

/** A text with braces, and what stands in their place. */
export type Sentence = { text: string; values: Values };

export type UiText = string | Sentence;

/** Gives a text of the interface in the reader's language; one that is not known stays English. */
export type Words = (text: UiText, values?: Values) => string;

type Translate = (text: string) => string | undefined;

/** English needs no dictionary. */
export const englishWords = createWords(
  (text) => text,
  (text) => text,
);

export const WordsContext = createContext(englishWords);

export function useWords(): Words {
  return useContext(WordsContext);
}

/** A text of the interface where there is no component of its own, such as in a table's cell. */
export function TranslatedText({ text }: { text: UiText }) {
  return useWords()(text);
}

function createWords(ofKey: Translate, ofServerSentence: Translate): Words {
  const words: Words = (text, values) => {
    if (typeof text !== "string") return words(text.text, text.values);
    if (values === undefined) return ofKey(text) ?? ofServerSentence(text) ?? text;
    return (ofKey(text) ?? text).replace(PLACE, (place, _mark, name: string) => {
      const value = values[name] ?? place;
      return typeof value === "object" ? words(value) : String(value);
    });
  };
  return words;
}

/** The words of a language, which may become more while one reads. */
type Vocabulary = { words: Words; learn: (dictionary: Dictionary) => void };

export function createVocabulary(): Vocabulary {
  const translations = new Map<string, string>();
  const patterns: Pattern[] = [];

  const ofServerSentence = (text: string) => {
    for (const { key, begin, pattern, names } of patterns) {
      const match = text.startsWith(begin) ? pattern.exec(text) : null;
      if (match === null) continue;
      const values = names.map((name, index) => [name, words(match[index + 1] ?? "")]);
      return words(key, Object.fromEntries(values) as Record<string, string>);
    }
    return undefined;
  };
  const words = createWords((text) => translations.get(text), ofServerSentence);
  const learn = (dictionary: Dictionary) => {
    for (const [marked, text] of Object.entries(dictionary)) {
      const key = withoutMarks(marked);
      translations.set(key, withoutMarks(text));
      if (key !== marked) patterns.push(patternOf(key, marked));
    }
    // "This OTP is not right. You have {#left} tries left." before "{*browser} on {*system}".
    patterns.sort((one, other) => other.literalLength - one.literalLength);
  };
  return { words, learn };
}

const PLACE = /\{([#*]?)(\w+)\}/g;

/** A key as the interface writes it, which may say a sentence of the server too. */
export function withoutMarks(key: string): string {
  return key.replace(PLACE, "{$2}");
}

type Pattern = {
  key: string;
  begin: string;
  pattern: RegExp;
  names: string[];
  /** The number of characters that the pattern itself contains. */
  literalLength: number;
};

function patternOf(key: string, marked: string): Pattern {
  const places = [...marked.matchAll(PLACE)];
  const literals = marked
    .split(/\{[#*]?\w+\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const source = literals.reduce((all, literal, index) => {
    const value = places[index - 1]?.[1] === "#" ? "([\\d.,:]+)" : "(.+?)";
    return all + value + literal;
  });
  return {
    key,
    begin: key.slice(0, key.indexOf("{")),
    pattern: new RegExp(`^${source}$`, "s"),
    names: places.map((match) => match[2] ?? ""),
    literalLength: key.replace(PLACE, "").length,
  };
}
