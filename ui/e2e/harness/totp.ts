import { createHmac } from "node:crypto";

/** The code that the app shows, so many steps of 30 seconds from now (RFC 6238). */
export function codeOf(secret: string, steps: number): string {
  const bits = [...secret.replaceAll(" ", "")]
    .map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter))
    .map((value) => value.toString(2).padStart(5, "0"))
    .join("");
  const bytes = bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [];
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const hash = createHmac("sha1", Buffer.from(bytes)).update(counter).digest();
  const at = (hash.at(-1) ?? 0) & 0xf;
  const code = (hash.readUInt32BE(at) & 0x7fffffff) % 1_000_000;
  return String(code).padStart(6, "0");
}
