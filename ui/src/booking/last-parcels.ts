import { attempt } from "../lib/storage";
import { fingerprint } from "./idempotency";
import type { Draft } from "./fields";
import type { PresetFields } from "./presets";

/** The last parcel to each saved receiver, on this device, until its customer logs out. */
type LastParcels = { username: string; parcels: Record<string, PresetFields> };

const NAME = "last_parcels";
const RECEIVERS_MAX = 50;

/** Keeps what is sent to a receiver. */
export function keepParcel(
  username: string,
  receiver: PresetFields,
  parcel: PresetFields,
  storage?: Storage,
) {
  const id = receiverId(receiver);
  const others = Object.entries(load(username, storage)).filter(([other]) => other !== id);
  const newest = [...others, [id, parcel] as const].slice(-RECEIVERS_MAX);
  const kept: LastParcels = { username, parcels: Object.fromEntries(newest) };
  attempt(() => (storage ?? localStorage).setItem(NAME, JSON.stringify(kept)));
}

/** The last parcel to a receiver; null where none is known here. */
export function lastParcel(
  username: string,
  receiver: PresetFields,
  storage?: Storage,
): PresetFields | null {
  return load(username, storage)[receiverId(receiver)] ?? null;
}

function load(username: string, storage?: Storage): LastParcels["parcels"] {
  const kept = attempt(() => {
    const text = (storage ?? localStorage).getItem(NAME);
    return text === null ? null : (JSON.parse(text) as Partial<LastParcels>);
  });
  return kept?.username === username ? (kept.parcels ?? {}) : {};
}

/** Tells receivers apart without another copy of their addresses. */
function receiverId(receiver: PresetFields): string {
  const parts = RECEIVER.map((name) => (receiver[name] ?? "").trim());
  return fingerprint(parts.join("|"));
}

const RECEIVER: readonly (keyof Draft)[] = [
  "consignee_name",
  "consignee_address_1",
  "consignee_pincode",
];
