import type { ExpectStatic } from "vitest";
import type { Account, Customer } from "./harness/customer";
import { signInWithMoney } from "./harness/setup";
import { journey } from "./harness/journey";
import * as steps from "./harness/steps";
import type { Visitor } from "./harness/visitor";

/**
 * Random walks over the wizard: whatever a customer does in whatever order, nothing that was typed
 * is lost, nothing is booked twice, and the browser complains of nothing. `DAKIYA_PROVE=walks` asks
 * for the full count, `DAKIYA_SEED` repeats a run.
 */
const WALKS = process.env["DAKIYA_PROVE"] === "walks" ? 500 : 3;
const MOVES = 14;
const SEED = Number(process.env["DAKIYA_SEED"] ?? "2026");

/** Entries and bookings that must still be there. */
type Model = {
  /** Fields of the details, by name. */
  typed: Record<string, string>;
  bookings: number;
};

type Walk = {
  visitor: Visitor;
  customer: Customer;
  reader: Account;
  model: Model;
  random: () => number;
  /** Of this walk: others go on beside it. */
  expect: ExpectStatic;
};

const TEXTS = [
  "consignee_name",
  "consignee_address_1",
  "description",
  "customer_reference",
  "remark",
] as const;

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Place = "rate" | "details" | "review" | "success" | "login" | "elsewhere";

/** Where the customer is, once something stands there. */
async function placeOf({ page }: Visitor): Promise<Place> {
  const marks: readonly (readonly [Place, string])[] = [
    ["rate", "form[name=rate]"],
    ["details", "form[name=details]"],
    ["review", "h2:text-is('Review Booking')"],
    ["success", "h2:text-is('Booking Successful!')"],
    ["login", "form[action='/login']"],
  ];
  const all = marks.map(([, mark]) => mark).join(", ");
  await page.waitForTimeout(150);
  const { pathname } = new URL(page.url());
  if (pathname !== "/courier" && pathname !== "/login") return "elsewhere";
  await page.locator(all).first().waitFor();
  for (const [place, mark] of marks) if ((await page.locator(mark).count()) > 0) return place;
  return "elsewhere";
}

type Move = (walk: Walk, place: Place) => Promise<void>;

const MOVE: Readonly<Record<string, Move>> = {
  async types({ visitor, model, random }, place) {
    if (place !== "details") return;
    const name = TEXTS[Math.floor(random() * TEXTS.length)] ?? "remark";
    const value = `${name} ${Math.floor(random() * 1_000)}`;
    await steps.opensFolds(visitor);
    await visitor.page.locator(`form [name="${name}"]`).fill(value);
    model.typed[name] = value;
  },
  async goesOn(walk, place) {
    const { visitor, model } = walk;
    if (place === "rate") await steps.choosesService(visitor);
    if (place === "review") await MOVE["confirms"]?.(walk, place);
    if (place === "details") {
      const missing = TEXTS.filter((name) => model.typed[name] !== undefined);
      await steps.fillsDetails(visitor, missing);
      for (const [name, value] of Object.entries(await detailsIn(visitor))) {
        if (value !== "") model.typed[name] = value;
      }
      await steps.reviews(visitor);
    }
  },
  async confirms({ visitor, model }, place) {
    if (place !== "review") return;
    await visitor.page.getByRole("button", { name: "Confirm & Book Now" }).dblclick();
    await steps.awbOf(visitor);
    model.bookings += 1;
    model.typed = {};
  },
  async goesBack({ visitor }) {
    await visitor.page.goBack();
  },
  async goesForward({ visitor }) {
    await visitor.page.goForward();
  },
  async pressesBack({ visitor }, place) {
    if (place === "details" || place === "review") await visitor.presses("Back");
  },
  async reloads({ visitor }) {
    await visitor.page.reload();
  },
  async changesLanguage({ visitor: { page } }) {
    for (const language of ["hi", "en"]) {
      await page.locator(`form[action='/language'] button[value=${language}]`).click();
      await page.locator(`html[lang=${language}-IN]`).waitFor({ state: "attached" });
    }
  },
  async typesOffline(walk, place) {
    if (place !== "details") return;
    await walk.visitor.context.setOffline(true);
    await MOVE["types"]?.(walk, place);
    await walk.visitor.sees("No connection: what you enter is kept on this device");
    await walk.visitor.context.setOffline(false);
  },
  async looksInAnotherTab({ visitor }) {
    const tab = await visitor.context.newPage();
    await tab.goto("/courier");
    await tab.getByRole("heading", { name: "New Courier Booking" }).waitFor();
    await tab.waitForLoadState("networkidle");
    await tab.close();
  },
  async isLoggedOut({ visitor }) {
    await visitor.context.clearCookies();
    await visitor.page.reload();
  },
};

/** The values of the details, by the names of the fields. */
async function detailsIn({ page }: Visitor): Promise<Record<string, string>> {
  const inputs = page.locator("form[name=details] input[type=text]:not([readonly])");
  const pairs = await inputs.evaluateAll((all) =>
    all.map((one) => [(one as HTMLInputElement).name, (one as HTMLInputElement).value] as const),
  );
  return Object.fromEntries(pairs);
}

/** Back into the wizard, wherever the walk has led. */
async function returns({ visitor, customer }: Walk, place: Place): Promise<Place> {
  if (place === "success") await visitor.presses("Create New Booking");
  else if (place === "login") {
    await steps.sendsLogin(visitor, customer);
    await visitor.page.waitForURL((url) => url.pathname !== "/login");
  } else if (place === "elsewhere") await visitor.page.goto("/courier");
  else return place;
  return returns({ visitor, customer } as Walk, await placeOf(visitor));
}

async function walks(walk: Walk) {
  const { visitor, model, random, reader, expect } = walk;
  const done: string[] = [];
  const moves = Object.keys(MOVE);
  const said = () => ({ message: done.join(", ") });
  for (let move = 0; move < MOVES; move += 1) {
    const place = await returns(walk, await placeOf(visitor));
    // Moves that lead on are likely, or the walk stays at its beginning; but most trouble is met in
    // the middle of typing.
    const isTyping = place === "details";
    const leadsOn = random() < (isTyping ? 0.2 : 0.6);
    const name = leadsOn ? "goesOn" : (moves[Math.floor(random() * moves.length)] ?? "");
    done.push(`${place} ${name}`);
    if (isTyping && !leadsOn) await MOVE["types"]?.(walk, place);
    await MOVE[name]?.(walk, place);
    if ((await placeOf(visitor)) !== "details") continue;
    await expect.poll(() => detailsIn(visitor), said()).toMatchObject(model.typed);
  }
  // Whoever was logged out has what they typed on the device until they are back.
  await returns(walk, await placeOf(visitor));
  const kept = async () => (await reader.draft())?.details ?? {};
  await expect.poll(kept, said()).toMatchObject(model.typed);
  const history = await reader.get("shipping/history/?page=1&limit=1");
  expect(history, done.join(", ")).toMatchObject({ count: model.bookings });
}

async function startWalk(visitor: Visitor, seed: number, expect: ExpectStatic): Promise<Walk> {
  visitor.expect(/ERR_INTERNET_DISCONNECTED|\b40[19]\b.*draft|\b401\b/);
  const { customer, ...reader } = await signInWithMoney(visitor, 10_000);
  await visitor.page.goto("/courier");
  const model = { typed: {}, bookings: 0 };
  return { visitor, customer, reader, model, random: randomFrom(seed), expect };
}

// Side by side: a walk waits more than it works, and each has a browser's profile of its own.
for (let walk = 0; walk < WALKS; walk += 1) {
  journey.concurrent(
    `random walk ${walk + 1} of seed ${SEED} loses nothing and books nothing twice`,
    async ({ asha, expect }) => {
      await walks(await startWalk(asha, SEED * 1_000 + walk, expect));
    },
  );
}
