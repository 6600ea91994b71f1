// Packs and unpacks V8's static library. Node's own brotli does it, as every host that builds
// Dakiya has Node, and not every one has xz.
//
//   node server/v8/library.mjs unpack PACKED LIBRARY   checks both against SHA256SUMS
//   node server/v8/library.mjs pack LIBRARY PACKED     some minutes; writes SHA256SUMS
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

const SUMS = "SHA256SUMS";

function pack(library, packed) {
  const bytes = readFileSync(library);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const copy = brotliCompressSync(bytes, { params });
  write(packed, copy);
  const lines = [line(copy, basename(packed)), line(bytes, basename(library))];
  write(join(dirname(packed), SUMS), lines.join(""));
}

function unpack(packed, library) {
  const sums = readFileSync(join(dirname(packed), SUMS), "utf8");
  const check = (bytes, name) => {
    if (!sums.includes(line(bytes, name))) throw new Error(`${name} does not match ${SUMS}`);
  };
  const copy = readFileSync(packed);
  check(copy, basename(packed));
  const bytes = brotliDecompressSync(copy);
  check(bytes, basename(library));
  write(library, bytes);
}

/** A line of `sha256sum`. */
const line = (bytes, name) => `${createHash("sha256").update(bytes).digest("hex")}  ${name}\n`;

/** The file appears whole or not at all. */
function write(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.part`, content);
  renameSync(`${path}.part`, path);
}

const [command, from, to] = process.argv.slice(2);
const work = { pack, unpack }[command];
if (!work || !to) throw new Error("usage: library.mjs pack|unpack FROM TO");
work(from, to);
