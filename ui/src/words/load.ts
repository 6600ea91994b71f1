import { screens } from "../screens";
import type { Language } from "../wire";
import { englishWords, createVocabulary, type Dictionary, type Words } from "./words";

/**
 * The files of Hindi: what every visit needs, and what some screens need besides. Policies have no
 * script.
 */
const FILES = import.meta.glob<{ default: Dictionary }>(["./hi*.json", "!./hi-policies.json"]);

export type LoadedWords = {
  words: Words;
  load: (screen: string) => Promise<void>;
  /** All words of a screen are loaded. */
  has: (screen: string) => boolean;
};

/** The words of a language, fetched as the screens need them. */
export function wordsFor(language: Language): LoadedWords {
  if (language === "en") {
    return { words: englishWords, load: () => Promise.resolve(), has: () => true };
  }
  const { words, learn } = createVocabulary();
  const loadedFiles = new Set<string>();
  const missing = (screen: string) => {
    const more = screens.find((entry) => entry.screen === screen)?.words;
    const files = more === undefined ? [language] : [language, `${language}-${more}`];
    return files.filter((file) => !loadedFiles.has(file));
  };
  const load = async (screen: string) => {
    const files = missing(screen);
    for (const dictionary of await Promise.all(files.map((file) => FILES[`./${file}.json`]?.()))) {
      learn(dictionary?.default ?? {});
    }
    for (const file of files) loadedFiles.add(file);
  };
  return { words, load, has: (screen) => missing(screen).length === 0 };
}
