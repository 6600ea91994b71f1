import type { Screen } from "../ui/src/wire";
import { asPage, drawPage, type Page, type PageSource } from "../ui/src/pages/page-source";
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

const all: Partial<Record<Screen, Page>> = {
  dashboard: asPage(Dashboard),
  login: asPage(Login),
  register: asPage(Register),
  "forgot-password": asPage(ForgotPassword),
  "reset-password": asPage(ResetPassword),
  account: asPage(Account),
  track: asPage(Track),
  calculate: asPage(Calculate),
  courier: asPage(Courier),
  addresses: asPage(Addresses),
  recharge: asPage(Recharge),
  "recharge-callback": asPage(RechargeCallback),
  "recharge-success": asPage(RechargeSuccess),
  "recharge-launch": asPage(RechargeLaunch),
  terms: asPage(Terms),
  privacy: asPage(Privacy),
  refund: asPage(Refund),
  shipping: asPage(Shipping),
  offline: asPage(Offline),
  "not-found": asPage(NotFound),
};

/** The server has every page at hand. */
export const serverPages: PageSource = {
  draw: (screen, data) => drawPage(all[screen], data),
  load: () => Promise.resolve(),
};
