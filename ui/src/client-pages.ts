import type { Screen } from "./page";
import { draw, page, type Pages, type ScreenComponent } from "./screens";
import { Dashboard } from "./pages/dashboard";
import { Login } from "./pages/login";
import { NotFound } from "./pages/not-found";
import { Track } from "./pages/track";
import type { LoadedWords } from "./words/load";

/** Screens that not every visit begins with, each in a chunk of its own. */
const chunks: Partial<Record<Screen, () => Promise<ScreenComponent>>> = {
  account: () => import("./pages/account").then((module) => page(module.Account)),
  addresses: () => import("./pages/addresses").then((module) => page(module.Addresses)),
  calculate: () => import("./pages/calculate").then((module) => page(module.Calculate)),
  courier: () => import("./pages/courier").then((module) => page(module.Courier)),
  "forgot-password": () =>
    import("./pages/forgot-password").then((module) => page(module.ForgotPassword)),
  offline: () => import("./pages/offline").then((module) => page(module.Offline)),
  recharge: () => import("./pages/recharge").then((module) => page(module.Recharge)),
  "recharge-callback": () =>
    import("./pages/recharge-callback").then((module) => page(module.RechargeCallback)),
  "recharge-launch": () =>
    import("./pages/recharge-launch").then((module) => page(module.RechargeLaunch)),
  "recharge-success": () =>
    import("./pages/recharge-success").then((module) => page(module.RechargeSuccess)),
  register: () => import("./pages/register").then((module) => page(module.Register)),
  "reset-password": () =>
    import("./pages/reset-password").then((module) => page(module.ResetPassword)),
};

/** What the navigation leads to: fetched before it is asked for, so that a tap is instant. */
export const NEXT: readonly Screen[] = ["courier", "calculate", "recharge"];

/**
 * The browser's pages. The policies are absent: the server sends them whole, without JavaScript.
 */
export function browserPages(words: LoadedWords): Pages {
  const here = new Map<Screen, ScreenComponent>([
    ["dashboard", page(Dashboard)],
    ["login", page(Login)],
    ["track", page(Track)],
    ["not-found", page(NotFound)],
  ]);
  return {
    draw: (screen, data) => (words.has(screen) ? draw(here.get(screen), data) : undefined),
    load: async (screen) => {
      const chunk = here.has(screen) ? undefined : chunks[screen];
      const [drawn] = await Promise.all([chunk?.(), words.load(screen)]);
      if (drawn !== undefined) here.set(screen, drawn);
    },
  };
}
