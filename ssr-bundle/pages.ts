import type { Screen } from "../ui/src/page";
import { draw, page, type Pages, type ScreenComponent } from "../ui/src/screens";
import { Account } from "../ui/src/pages/account";
import { Addresses } from "../ui/src/pages/addresses";
import { Calculate } from "../ui/src/pages/calculate";
import { Courier } from "../ui/src/pages/courier";
import { Dashboard } from "../ui/src/pages/dashboard";
import { ForgotPassword } from "../ui/src/pages/forgot-password";
import { Login } from "../ui/src/pages/login";
import { NotFound } from "../ui/src/pages/not-found";
import { Offline } from "../ui/src/pages/offline";
import { Recharge } from "../ui/src/pages/recharge";
import { RechargeCallback } from "../ui/src/pages/recharge-callback";
import { Privacy } from "../ui/src/pages/privacy";
import { Refund } from "../ui/src/pages/refund";
import { Shipping } from "../ui/src/pages/shipping";
import { Terms } from "../ui/src/pages/terms";
import { RechargeLaunch } from "../ui/src/pages/recharge-launch";
import { RechargeSuccess } from "../ui/src/pages/recharge-success";
import { Register } from "../ui/src/pages/register";
import { ResetPassword } from "../ui/src/pages/reset-password";
import { Track } from "../ui/src/pages/track";

const all: Partial<Record<Screen, ScreenComponent>> = {
  dashboard: page(Dashboard),
  login: page(Login),
  register: page(Register),
  "forgot-password": page(ForgotPassword),
  "reset-password": page(ResetPassword),
  account: page(Account),
  track: page(Track),
  calculate: page(Calculate),
  courier: page(Courier),
  addresses: page(Addresses),
  recharge: page(Recharge),
  "recharge-callback": page(RechargeCallback),
  "recharge-success": page(RechargeSuccess),
  "recharge-launch": page(RechargeLaunch),
  terms: page(Terms),
  privacy: page(Privacy),
  refund: page(Refund),
  shipping: page(Shipping),
  offline: page(Offline),
  "not-found": page(NotFound),
};

/** The server has every page at hand. */
export const serverPages: Pages = {
  draw: (screen, data) => draw(all[screen], data),
  load: () => Promise.resolve(),
};
