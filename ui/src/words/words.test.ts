import { describe, expect, test } from "vitest";
import { date, dateTime } from "../lib/format";
import { bookingMessages } from "../booking/messages";
import { screens } from "../screens";
import { DICTIONARIES, hindi } from "./hindi";
import {
  allTexts,
  interfaceTexts,
  ruleSentences,
  serverSentences,
  serverTexts,
  textShape,
  textsFrom,
  titles,
  untranslated,
} from "./texts";
import { englishWords, createVocabulary, type Dictionary } from "./words";

const t = hindi.words;
const { common, booking } = DICTIONARIES;
const MORE: Readonly<Record<string, Dictionary>> = DICTIONARIES;
const HINDI: Dictionary = Object.assign({}, ...Object.values(DICTIONARIES));
const scripted = screens.filter(({ script }) => script);

describe("words", () => {
  test("English is as it is written", () => expect(englishWords("Track")).toBe("Track"));

  test("a text that is not known stays English", () => {
    expect(t("Never written anywhere")).toBe("Never written anywhere");
    expect(t("constructor")).toBe("constructor");
    expect(t("")).toBe("");
  });

  test("what differs keeps its place, and is translated too", () => {
    expect(t("Page 3 of 12")).toBe("पृष्ठ 3, कुल 12");
    expect(t("Balance: ₹1,234.50")).toBe("शेष राशि: ₹1,234.50");
    expect(t("Estimated delivery: 4 days")).toBe("अनुमानित डिलीवरी: 4 दिन");
    expect(t("2.5 kg")).toBe("2.5 किग्रा");
    expect(t("Estimated delivery: N/A")).toBe("अनुमानित डिलीवरी: उपलब्ध नहीं");
  });

  test("names of fields one after the other are translated one by one", () => {
    expect(t(`${bookingMessages.requiredFields}Consignor Name, City`)).toBe(
      "कृपया ये ज़रूरी जानकारियाँ भरें: भेजने वाले का नाम, शहर",
    );
    expect(t("Asha Rao, 12 MG Road, Bengaluru")).toBe("Asha Rao, 12 MG Road, Bengaluru");
  });

  test("days and times are told in Hindi", () => {
    const at = Date.UTC(2026, 8, 28, 10, 35);
    expect(t(date(at))).toBe("28 सितंबर 2026");
    expect(t(dateTime(at))).toBe("28 सितंबर 2026, अपराह्न 4:05");
    expect(t(`Since ${dateTime(at)}, last used ${dateTime(at + 60_000)}`)).toBe(
      "28 सितंबर 2026, अपराह्न 4:05 से, आखिरी बार 28 सितंबर 2026, अपराह्न 4:06",
    );
  });

  test("of two sentences that fit, the one that says more itself is meant", () => {
    expect(t("2 shipments are on their way back to you")).toBe("2 शिपमेंट आपके पास लौट रही हैं");
    expect(t("Chrome on Android")).toBe("Android पर Chrome");
  });

  test("more words can be learnt while others are in use", () => {
    const { words, learn } = createVocabulary();
    learn({ Track: "ट्रैक करें" });
    expect([words("Track"), words("{n} left"), words("3 left")]).toEqual([
      "ट्रैक करें",
      "{n} left",
      "3 left",
    ]);
    learn({ "{#n} left": "{#n} बाकी" });
    expect([words("Track"), words("3 left"), words("three left")]).toEqual([
      "ट्रैक करें",
      "3 बाकी",
      "three left",
    ]);
  });
});

describe("the message files of Hindi", () => {
  const known = new Set(Object.keys(HINDI).map(textShape));

  test("have every text of the interface", () => {
    const texts = [...interfaceTexts(), ...titles()];
    expect(texts.length).toBeGreaterThan(350);
    expect(texts.filter((text) => !known.has(textShape(text)))).toEqual([]);
  });

  test("no text stands in the interface without being asked for in the reader's language", () => {
    expect(untranslated()).toEqual([]);
  });

  test.each(scripted)("have the words of the screen $screen where it looks for them", (entry) => {
    const { screen, words } = entry;
    const files: Dictionary[] = [common, words === undefined ? {} : (MORE[words] ?? {})];
    const there = new Set(files.flatMap((file) => Object.keys(file)).map(textShape));
    const { words: t, learn } = createVocabulary();
    files.forEach(learn);
    const said = [...textsFrom("ui/src/app.tsx"), ...textsFrom(`ui/src/pages/${screen}.tsx`)];
    expect(said.filter((text) => !there.has(textShape(text)) && t(text) === text)).toEqual([]);
  });

  test("have every sentence of the server that a customer reads", () => {
    const sentences = serverSentences();
    expect(sentences.length).toBeGreaterThan(80);
    expect(sentences.filter((text) => t(text) === text)).toEqual([]);
  });

  test("have every sentence of the booking form's rules where the form looks for it", () => {
    const { words, learn } = createVocabulary();
    learn(common);
    learn(booking);
    const sentences = ruleSentences();
    expect(sentences.length).toBeGreaterThan(30);
    expect(sentences.filter((text) => words(text) === text)).toEqual([]);
  });

  test("have nothing that nobody says", () => {
    const said = new Set(
      [...titles(), ...interfaceTexts(), ...allTexts(), ...serverTexts(), ...COMPUTED].map(
        textShape,
      ),
    );
    expect(Object.keys(HINDI).filter((key) => !said.has(textShape(key)))).toEqual([]);
  });

  test("keep all that differs, and are Hindi", () => {
    for (const [key, text] of Object.entries(HINDI)) {
      const names = (from: string) => (from.match(/\{#?\w+\}/g) ?? []).sort();
      expect(names(text), key).toEqual(names(key));
      expect(text.trim() === "", key).toBe(false);
      // Full stops of Hindi; abbreviations and names of the trade stay as they are written.
      if (/\.$/.test(key) && !/\.\.\.$/.test(key)) expect(text, key).toMatch(/[।॰?]$|संख्या$/);
    }
  });
});

/** Put together from parts: dates and times, words made of a status, and two of what may be one. */
const COMPUTED = [
  ..."Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"
    .split(" ")
    .flatMap((month) => [month, `{day} ${month} {year}`]),
  "{date}, {time} am",
  "{date}, {time} pm",
  "{title} · Dakiya",
  "An OTP was sent to the consignor’s {mobile} and {mail}. It is valid for {minutes} minutes.",
  "No price from {names} and {last} just now. The prices shown hold; " +
    "calculate again in a minute to see all couriers.",
  ..."Credit Debit Completed Failed Pending Processing Booking Confirming".split(" "),
  ..."Shipped Cancelling Returning Returned".split(" "),
];
