import type { Language, Screen } from "../page";
import { screens } from "../screens";
import { asWritten, createVocabulary, type Dictionary, type Words } from "./words";

/** The files of Hindi: what every visit needs, and what some screens need besides. */
const FILES: Readonly<Record<string, () => Promise<{ default: Dictionary }>>> = {
  hi: () => import("./hi.json"),
  "hi-account": () => import("./hi-account.json"),
  "hi-booking": () => import("./hi-booking.json"),
  "hi-offline": () => import("./hi-offline.json"),
  "hi-recharge": () => import("./hi-recharge.json"),
  "hi-track": () => import("./hi-track.json"),
};

export type LoadedWords = { words: Words; load: (screen: Screen) => Promise<void> };

/** The words of a language, fetched as the screens need them. */
export function wordsIn(language: Language): LoadedWords {
  if (language === "en") return { words: asWritten, load: () => Promise.resolve() };
  const { words, learn } = createVocabulary();
  const learnt = new Set<string>();
  const load = async (screen: Screen) => {
    const more = screens.find((entry) => entry.screen === screen)?.words;
    const files = more === undefined ? [language] : [language, `${language}-${more}`];
    const missing = files.filter((file) => !learnt.has(file));
    for (const dictionary of await Promise.all(missing.map((file) => FILES[file]?.()))) {
      learn(dictionary?.default ?? {});
    }
    for (const file of missing) learnt.add(file);
  };
  return { words, load };
}
