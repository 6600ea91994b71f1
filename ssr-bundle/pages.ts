import type { Screen } from "../ui/src/page";
import { draw, page, type Pages, type ScreenComponent } from "../ui/src/screens";
import { Calculate } from "../ui/src/pages/calculate";
import { Courier } from "../ui/src/pages/courier";
import { Dashboard } from "../ui/src/pages/dashboard";
import { Login } from "../ui/src/pages/login";
import { NotFound } from "../ui/src/pages/not-found";
import { Recharge } from "../ui/src/pages/recharge";
import { RechargeCallback } from "../ui/src/pages/recharge-callback";
import { Privacy } from "../ui/src/pages/privacy";
import { Refund } from "../ui/src/pages/refund";
import { Shipping } from "../ui/src/pages/shipping";
import { Terms } from "../ui/src/pages/terms";
import { RechargeLaunch } from "../ui/src/pages/recharge-launch";
import { RechargeSuccess } from "../ui/src/pages/recharge-success";
import { Register } from "../ui/src/pages/register";
import { Track } from "../ui/src/pages/track";

const all: Partial<Record<Screen, ScreenComponent>> = {
  dashboard: page(Dashboard),
  login: page(Login),
  register: page(Register),
  track: page(Track),
  calculate: page(Calculate),
  courier: page(Courier),
  recharge: page(Recharge),
  "recharge-callback": page(RechargeCallback),
  "recharge-success": page(RechargeSuccess),
  "recharge-launch": page(RechargeLaunch),
  terms: page(Terms),
  privacy: page(Privacy),
  refund: page(Refund),
  shipping: page(Shipping),
  "not-found": page(NotFound),
};

/** The server has every page at hand. */
export const serverPages: Pages = {
  draw: (screen, data) => draw(all[screen], data),
  load: () => Promise.resolve(),
};
