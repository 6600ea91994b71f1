import { ApiError } from "../lib/api-error";
import { LEAVE_MS_MAX, SAVE_RETRY_MS } from "../lib/limits";
import { isSaving } from "../lib/saving";
import type { DraftContent, KeptDraft } from "../wire";
import { canonicalJson } from "./canonical-json";

type Deps = {
  /** Sends a change to this revision; null discards the draft. */
  put: (revision: number, content: DraftContent | null) => Promise<{ revision: number }>;
  /**
   * Keeps on the device what the server does not have yet, with canonical JSON of changes that it
   * may have; or what it has `saved` as this revision, while the page is being left.
   */
  keep: (
    revision: number,
    content: DraftContent | null,
    doubtful: readonly string[],
    saved: boolean,
  ) => void;
  /** The server has it. */
  forget: () => void;
  onSaved: () => void;
  onReach: (reachable: boolean) => void;
  /** Somebody else changed it first. Nothing is sent until `decide`. */
  onStale: (theirs: KeptDraft) => void;
};

/** More changes than can be under way without an answer (count). */
const SENT_TEXTS_MAX = 4;

type Saver = {
  /** Notes what the form says now; it is sent after a pause of this length. */
  note: (content: DraftContent | null, pauseMs: number) => void;
  /** Sends at once what was noted. */
  flush: () => void;
  /**
   * Sends at once what was noted, and leaves it on the device: the server may have read the draft
   * for the next page just before.
   */
  leave: () => void;
  /** The wizard is closed, and the page stays: sends at once what was noted, and is done. */
  end: () => void;
  /** The server may have these by now: what an earlier page of this device sent or noted. */
  recall: (texts: readonly string[]) => void;
  /** The device has another version, which is not touched until the customer decides. */
  spareDevice: () => void;
  /** The draft with this id is booked: whatever else is on the server of it goes. */
  finish: (id: string) => void;
  /** After the customer chose between it and what was noted. */
  takeDevice: () => void;
  /**
   * After the customer chose: goes on from the server's version, with or without what was noted.
   */
  decide: (server: Pick<KeptDraft, "revision" | "content">, keepsMine: boolean) => void;
};

/**
 * Saves what was noted last, one request at a time, each naming the revision it builds on. A change
 * that got no answer is sent again before anything else. If the server then reports a newer
 * revision with something that this device sent or noted, that was the lost answer, of this page,
 * the one before or the tab beside, and not somebody else's change.
 */
export function createSaver(deps: Deps, start: Pick<KeptDraft, "revision" | "content">): Saver {
  let revision = start.revision;
  let saved = canonicalJson(start.content);
  let noted = { text: saved, content: start.content };
  let sending = false;
  let isConflict = false;
  let newer: KeptDraft | null = null;
  let bookedId: string | null = null;
  let isOnDevice = false;
  let spares = false;
  let leaving = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let leaveTimer: ReturnType<typeof setTimeout> | undefined;
  /** Sent and not answered yet: the server may have it. */
  let doubtful: typeof noted | null = null;
  /** Canonical JSON of what was sent, the last of them. */
  let sentTexts: readonly string[] = [];
  /** And of what was noted since the last answer: another tab may have found it on the device. */
  const notedTexts = new Set<string>();

  const isSaved = () => doubtful === null && noted.text === saved;
  const write = () => {
    if (spares) return;
    isOnDevice = true;
    deps.keep(revision, noted.content, sentTexts, isSaved());
  };
  const clearDevice = () => {
    clearTimeout(timer);
    if (!isOnDevice) return;
    if (leaving) write();
    else deps.forget();
  };
  const schedule = (pauseMs: number) => {
    clearTimeout(timer);
    timer = setTimeout(flush, pauseMs);
  };
  const recall = (texts: readonly string[]) => {
    sentTexts = [...new Set([...sentTexts, ...texts])].slice(-SENT_TEXTS_MAX);
  };
  const flush = () => {
    if (sending || isConflict || isSaved()) return;
    clearTimeout(timer);
    sending = true;
    doubtful ??= noted;
    const { text, content } = doubtful;
    recall([text]);
    isSaving(
      deps.put(revision, content).then(
        (answer) => onAnswer(answer.revision, text),
        (error: unknown) => onFailure(error),
      ),
    );
  };
  const onAnswer = (newest: number, text: string) => {
    sending = false;
    revision = newest;
    saved = text;
    doubtful = null;
    notedTexts.clear();
    deps.onReach(true);
    deps.onSaved();
    if (isSaved()) clearDevice();
    else flush();
  };
  const onFailure = (error: unknown) => {
    sending = false;
    if (!(error instanceof ApiError)) return;
    if (error.code === "stale") {
      const theirs = error.body.data as KeptDraft;
      const text = canonicalJson(theirs.content);
      if (sentTexts.includes(text) || notedTexts.has(text)) {
        onAnswer(theirs.revision, text);
        return;
      }
      if (theirs.content?.id === bookedId) {
        followBooked(theirs);
        flush();
        return;
      }
      isConflict = true;
      newer = theirs;
      deps.onStale(theirs);
    } else if (error.outcomeUnknown) {
      deps.onReach(false);
      schedule(SAVE_RETRY_MS);
      return;
    }
    doubtful = null;
  };
  const followBooked = (theirs: KeptDraft) => {
    isConflict = false;
    doubtful = null;
    revision = theirs.revision;
    saved = canonicalJson(theirs.content);
  };
  return {
    note(content, pauseMs) {
      noted = { text: canonicalJson(content), content };
      notedTexts.add(noted.text);
      // Until it is decided what the server gets, it is safe on the device.
      if (isConflict) write();
      else if (isSaved()) clearDevice();
      else {
        write();
        schedule(pauseMs);
      }
    },
    flush,
    leave() {
      leaving = true;
      flush();
      // Whoever is still here by then has stayed, as after a link that was only downloaded.
      clearTimeout(leaveTimer);
      leaveTimer = setTimeout(() => {
        leaving = false;
        if (isSaved()) clearDevice();
      }, LEAVE_MS_MAX);
    },
    end() {
      // By then the device's entry belongs to the next wizard.
      clearTimeout(leaveTimer);
      leaving = false;
      flush();
    },
    recall,
    spareDevice() {
      spares = true;
    },
    finish(id) {
      bookedId = id;
      if (isConflict && newer?.content?.id === id) followBooked(newer);
    },
    takeDevice() {
      spares = false;
      if (isSaved()) deps.forget();
      else write();
    },
    decide(server, keepsMine) {
      isConflict = false;
      doubtful = null;
      revision = server.revision;
      saved = canonicalJson(server.content);
      if (!keepsMine) noted = { text: saved, content: server.content };
      if (noted.text === saved) deps.forget();
      else write();
      flush();
    },
  };
}
