import { describe, expect, test } from "vitest";
import { date, dateTime } from "../lib/format";
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
import { englishWords, createVocabulary, withoutMarks, type Dictionary } from "./words";

const t = hindi.words;
const { common, booking } = DICTIONARIES;
const MORE: Readonly<Record<string, Dictionary>> = DICTIONARIES;
const HINDI: Dictionary = Object.assign({}, ...Object.values(DICTIONARIES));
const scripted = screens.filter(({ script }) => script);

describe("words", () => {
  test("English is as it is written", () => {
    expect(englishWords("Track")).toBe("Track");
    expect(englishWords("Page {page} of {pages}", { page: 3, pages: 12 })).toBe("Page 3 of 12");
    expect(englishWords("Page {page}", {})).toBe("Page {page}");
  });

  test("a text that is not known stays English", () => {
    expect(t("Never written anywhere")).toBe("Never written anywhere");
    expect(t("constructor")).toBe("constructor");
    expect(t("")).toBe("");
  });

  test("values keep their place; a sentence among them is translated, a string is not", () => {
    expect(t("Page {page} of {pages}", { page: 3, pages: 12 })).toBe("पृष्ठ 3, कुल 12");
    expect(t("Balance: {amount}", { amount: "$& {amount}" })).toBe("शेष राशि: $& {amount}");
    const days = { text: "{count} days", values: { count: 4 } };
    expect(t("Estimated delivery: {days}", { days })).toBe("अनुमानित डिलीवरी: 4 दिन");
    expect(t({ text: "Reference: {id}", values: { id: "Track" } })).toBe("संदर्भ संख्या: Track");
  });

  test("a sentence that the server has finished is recognised, and so is what it holds", () => {
    expect(t("Courier booking DK1: refund")).toBe("कूरियर बुकिंग DK1: रिफ़ंड");
    expect(t("Too many wrong codes. Please try again in 5 min.")).toBe(
      "कई बार गलत कोड लिखा गया। कृपया 5 मिनट बाद फिर कोशिश करें।",
    );
    const tries = (left: string) => t(`This OTP is not right. You have ${left} left.`);
    expect(tries("5 tries")).toBe("यह OTP सही नहीं है। 5 कोशिशें बाकी हैं।");
    expect(tries("1 try")).toBe("यह OTP सही नहीं है। 1 कोशिश बाकी है।");
    expect(t("Page 3 of 12")).toBe("Page 3 of 12");
  });

  test("days and times are told in Hindi", () => {
    const at = Date.UTC(2026, 8, 28, 10, 35);
    expect(t(date(at))).toBe("28 सितंबर 2026");
    expect(t(dateTime(at))).toBe("28 सितंबर 2026, शाम 4:05");
    const hours = (hour: number) => t(dateTime(Date.UTC(2026, 8, 28, hour - 6, 30)));
    expect([3, 4, 11, 12, 15, 16, 19, 20, 23].map(hours)).toEqual(
      "रात 3 सुबह 4 सुबह 11 दोपहर 12 दोपहर 3 शाम 4 शाम 7 रात 8 रात 11"
        .split(/(?<=\d) /)
        .map((time) => `28 सितंबर 2026, ${time}:00`),
    );
    const [when, last] = [dateTime(at), dateTime(at + 60_000)];
    expect(t("Since {when}, last used {last}", { when, last })).toBe(
      "28 सितंबर 2026, शाम 4:05 से, आखिरी बार 28 सितंबर 2026, शाम 4:06",
    );
  });

  test("of two sentences that fit, the one that says more itself is meant", () => {
    expect(t("A browser on Android")).toBe("Android पर एक ब्राउज़र");
    expect(t("Chrome on Android")).toBe("Android पर Chrome");
  });

  test("more words can be learnt while others are in use", () => {
    const { words, learn } = createVocabulary();
    learn({ Track: "ट्रैक करें" });
    const texts = () => [
      words("Track"),
      words("3 left"),
      words("three left"),
      words("{n} left", { n: 3 }),
    ];
    expect(texts()).toEqual(["ट्रैक करें", "3 left", "three left", "3 left"]);
    learn({ "{#n} left": "{#n} बाकी" });
    expect(texts()).toEqual(["ट्रैक करें", "3 बाकी", "three left", "3 बाकी"]);
  });
});

describe("the message files of Hindi", () => {
  const known = new Set(Object.keys(HINDI).map(withoutMarks));

  test("have every text of the interface", () => {
    const texts = [...interfaceTexts(), ...titles()];
    expect(texts.length).toBeGreaterThan(350);
    expect(texts.filter((text) => !known.has(text))).toEqual([]);
  });

  test("no text stands in the interface without being asked for in the reader's language", () => {
    expect(untranslated()).toEqual([]);
  });

  test.each(scripted)("have the words of the screen $screen where it looks for them", (entry) => {
    const { screen, words } = entry;
    const files: Dictionary[] = [common, words === undefined ? {} : (MORE[words] ?? {})];
    const keys = new Set(files.flatMap((file) => Object.keys(file)).map(withoutMarks));
    const texts = [...textsFrom("ui/src/app.tsx"), ...textsFrom(`ui/src/pages/${screen}.tsx`)];
    expect(texts.filter((text) => !keys.has(text))).toEqual([]);
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
    const ofInterface = new Set([...titles(), ...interfaceTexts(), ...allTexts(), ...COMPUTED]);
    const ofServer = new Set([...serverTexts(), ...COMPUTED_BY_SERVER].map(textShape));
    const isOfServer = (key: string) => ofServer.has(textShape(key)) && !UNMARKED.test(key);
    const keys = Object.keys(HINDI);
    expect(keys.filter((key) => !ofInterface.has(key) && !isOfServer(key))).toEqual([]);
  });

  test("keep all that differs, and are Hindi", () => {
    for (const [key, text] of Object.entries(HINDI)) {
      const names = (from: string) => (from.match(/\{[#*]?\w+\}/g) ?? []).sort();
      expect(names(text), key).toEqual(names(key));
      expect(text.trim() === "", key).toBe(false);
      // Full stops of Hindi; abbreviations and names of the trade stay as they are written.
      if (/\.$/.test(key) && !/\.\.\.$/.test(key)) expect(text, key).toMatch(/[।॰?]$|संख्या$/);
    }
  });
});

/** A place that only the interface fills. */
const UNMARKED = /\{\w/;

/** Put together from parts: dates and times, and words made of a status. */
const COMPUTED = [
  ..."Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"
    .split(" ")
    .flatMap((month) => [month, `{day} ${month} {year}`]),
  "{date}, {night} am",
  "{date}, {morning} am",
  "{date}, {midday} pm",
  "{date}, {evening} pm",
  "{date}, {night} pm",
  ..."Credit Debit Completed Failed Pending Processing Booking Confirming".split(" "),
  ..."Shipped Cancelling Returning Returned".split(" "),
];

/** Days with hours, and sentences about two of what may be one. */
const COMPUTED_BY_SERVER = [
  "{weekday} {day} {month}, {from} am to {until} pm",
  "{weekday} {day} {month}, {from} pm to {until} pm",
  "{weekday} {day} {month}, 4 pm to {until} pm",
  "An OTP was sent to the sender’s {mobile} and {mail}. It is valid for {minutes} minutes.",
  "No answer from {names} and {last}. The prices shown are valid; " +
    "try again in a minute for the rest.",
];
