import type { Screen } from "./page";
import { draw, page, type Pages, type ScreenComponent } from "./screens";
import { Dashboard } from "./pages/dashboard";
import { Login } from "./pages/login";
import { NotFound } from "./pages/not-found";
import { Recharge } from "./pages/recharge";
import { RechargeCallback } from "./pages/recharge-callback";
import { RechargeLaunch } from "./pages/recharge-launch";
import { RechargeSuccess } from "./pages/recharge-success";
import { Register } from "./pages/register";
import { Track } from "./pages/track";

/** The heavy screens, each in a chunk of its own. */
const chunks: Partial<Record<Screen, () => Promise<ScreenComponent>>> = {
  calculate: () => import("./pages/calculate").then((module) => page(module.Calculate)),
  courier: () => import("./pages/courier").then((module) => page(module.Courier)),
};

/**
 * The browser's pages. The policies are absent: the server sends them whole, without JavaScript.
 */
export function browserPages(): Pages {
  const here = new Map<Screen, ScreenComponent>([
    ["dashboard", page(Dashboard)],
    ["login", page(Login)],
    ["register", page(Register)],
    ["track", page(Track)],
    ["recharge", page(Recharge)],
    ["recharge-callback", page(RechargeCallback)],
    ["recharge-success", page(RechargeSuccess)],
    ["recharge-launch", page(RechargeLaunch)],
    ["not-found", page(NotFound)],
  ]);
  return {
    draw: (screen, data) => draw(here.get(screen), data),
    load: async (screen) => {
      const chunk = chunks[screen];
      if (chunk !== undefined && !here.has(screen)) here.set(screen, await chunk());
    },
  };
}
