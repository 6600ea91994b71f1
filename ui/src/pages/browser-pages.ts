import type { Screen } from "../wire";
import type { LoadedWords } from "../words/load";
import { Dashboard } from "./dashboard";
import { Login } from "./login";
import { NotFound } from "./not-found";
import { asPage, drawPage, type Page, type PageSource } from "./page-source";

/** Pages that not every visit begins with, each in a chunk of its own. */
const chunks: Partial<Record<Screen, () => Promise<Page>>> = {
  account: () => import("./account").then((chunk) => asPage(chunk.Account)),
  addresses: () => import("./addresses").then((chunk) => asPage(chunk.Addresses)),
  calculate: () => import("./calculate").then((chunk) => asPage(chunk.Calculate)),
  courier: () => import("./courier").then((chunk) => asPage(chunk.Courier)),
  "forgot-password": () =>
    import("./forgot-password").then((chunk) => asPage(chunk.ForgotPassword)),
  offline: () => import("./offline").then((chunk) => asPage(chunk.Offline)),
  recharge: () => import("./recharge").then((chunk) => asPage(chunk.Recharge)),
  "recharge-callback": () =>
    import("./recharge-callback").then((chunk) => asPage(chunk.RechargeCallback)),
  "recharge-launch": () =>
    import("./recharge-launch").then((chunk) => asPage(chunk.RechargeLaunch)),
  "recharge-success": () =>
    import("./recharge-success").then((chunk) => asPage(chunk.RechargeSuccess)),
  register: () => import("./register").then((chunk) => asPage(chunk.Register)),
  "reset-password": () => import("./reset-password").then((chunk) => asPage(chunk.ResetPassword)),
  track: () => import("./track").then((chunk) => asPage(chunk.Track)),
};

/** Where the navigation leads: fetched before it is asked for, so that a tap is instant. */
export const FETCHED_EARLY: readonly Screen[] = ["courier", "calculate", "track", "recharge"];

/**
 * The browser's pages. The policies are absent: the server sends them whole, without JavaScript.
 */
export function browserPages(words: LoadedWords): PageSource {
  const here = new Map<Screen, Page>([
    ["dashboard", asPage(Dashboard)],
    ["login", asPage(Login)],
    ["not-found", asPage(NotFound)],
  ]);
  return {
    draw: (screen, data) => (words.has(screen) ? drawPage(here.get(screen), data) : undefined),
    load: async (screen) => {
      const chunk = here.has(screen) ? undefined : chunks[screen];
      const [page] = await Promise.all([chunk?.(), words.load(screen)]);
      if (page !== undefined) here.set(screen, page);
    },
  };
}
