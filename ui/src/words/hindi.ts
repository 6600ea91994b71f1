import account from "./hi-account.json";
import booking from "./hi-booking.json";
import bookings from "./hi-bookings.json";
import dashboard from "./hi-dashboard.json";
import login from "./hi-login.json";
import offline from "./hi-offline.json";
import policies from "./hi-policies.json";
import recharge from "./hi-recharge.json";
import track from "./hi-track.json";
import weights from "./hi-weights.json";
import common from "./hi.json";
import { createVocabulary, type Dictionary } from "./words";

/** All of Hindi, for whoever need not count bytes. One table of it all takes an engine long. */
export const DICTIONARIES = {
  common,
  account,
  booking,
  bookings,
  dashboard,
  login,
  offline,
  policies,
  recharge,
  track,
  weights,
} satisfies Record<string, Dictionary>;

export const hindi = createVocabulary();
for (const dictionary of Object.values(DICTIONARIES)) hindi.learn(dictionary);
