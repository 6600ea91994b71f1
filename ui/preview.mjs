// Writes ui/public/preview.png, the picture of a link to us in chats and feeds (Open Graph): our
// icon on our colour. Run it by hand after a change: node ui/preview.mjs
import { Buffer } from "node:buffer";
import { writeFileSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";

const WIDTH = 1200;
const HEIGHT = 630;
const BLUE = [0x17, 0x51, 0x8f];
const WHITE = [0xff, 0xff, 0xff];

/** The strokes of favicon.svg, in units of its 32 by 32 field. */
const LINES = [
  [7, 10, 25, 10],
  [25, 10, 25, 23],
  [25, 23, 7, 23],
  [7, 23, 7, 10],
  [7, 10.5, 16, 17.5],
  [16, 17.5, 25, 10.5],
];
const STROKE = 2;
const UNIT = 20;

const rows = Array.from({ length: HEIGHT }, (_, y) => {
  const row = Array.from({ length: WIDTH }, (__, x) => colourAt(x + 0.5, y + 0.5)).flat();
  // Each row begins with its filter: none.
  return Buffer.from([0, ...row]);
});
const size = Buffer.alloc(8);
size.writeUInt32BE(WIDTH, 0);
size.writeUInt32BE(HEIGHT, 4);
writeFileSync(
  "ui/public/preview.png",
  Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    // Eight bits for each of red, green and blue.
    chunk("IHDR", Buffer.concat([size, Buffer.from([8, 2, 0, 0, 0])])),
    chunk("IDAT", deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]),
);

function colourAt(x, y) {
  const [u, v] = [(x - WIDTH / 2) / UNIT + 16, (y - HEIGHT / 2) / UNIT + 16.5];
  const nearest = Math.min(...LINES.map((line) => distance(line, u, v)));
  // One pixel of transition at the edge of a stroke.
  const share = Math.min(1, Math.max(0, (STROKE / 2 - nearest) * UNIT + 0.5));
  return BLUE.map((blue, at) => Math.round(blue + (WHITE[at] - blue) * share));
}

/** From a point to the nearest one of a line. */
function distance([x1, y1, x2, y2], x, y) {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const along = ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy);
  const at = Math.min(1, Math.max(0, along));
  return Math.hypot(x - x1 - at * dx, y - y1 - at * dy);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([head, body, sum]);
}
