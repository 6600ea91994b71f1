import { expect, test } from "vitest";
import { keepParcel, lastParcel } from "./last-parcels";
import { memoryStorage } from "./sample";

const RAVI = { consignee_name: "Ravi Kumar", consignee_pincode: "560001" };

test("a receiver's last parcel is known to its customer on this device", () => {
  const storage = memoryStorage();
  expect(lastParcel("asha", RAVI, storage)).toBeNull();
  keepParcel("asha", RAVI, { description: "Brass lamps", weight: "2" }, storage);
  keepParcel("asha", RAVI, { description: "Silk sarees", weight: "1" }, storage);
  expect(lastParcel("asha", RAVI, storage)).toEqual({ description: "Silk sarees", weight: "1" });
  expect(lastParcel("asha", { ...RAVI, consignee_name: "Meera" }, storage)).toBeNull();
  expect(lastParcel("binod", RAVI, storage)).toBeNull();
  expect(storage.getItem("last_parcels")).not.toContain("Ravi");
});

test("of many receivers the latest are kept, and nonsense is as good as nothing", () => {
  const storage = memoryStorage();
  const receiver = (n: number) => ({ consignee_name: `Receiver ${n}` });
  for (let n = 0; n < 60; n += 1) keepParcel("asha", receiver(n), { weight: String(n) }, storage);
  expect(lastParcel("asha", receiver(9), storage)).toBeNull();
  expect(lastParcel("asha", receiver(59), storage)).toEqual({ weight: "59" });
  storage.setItem("last_parcels", "{");
  expect(lastParcel("asha", receiver(59), storage)).toBeNull();
});
