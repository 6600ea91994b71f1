// A dashboard as a plain Node server makes it, for `./build.sh bench peers`: the same bundle, the
// same database file, its own queries.
// node ssr-bundle/peer.mjs <port> <database> <folder of better-sqlite3> <document.html>
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import vm from "node:vm";
import zlib from "node:zlib";

const [port, file, packages, document] = process.argv.slice(2);
const Database = createRequire(`${packages}/`)("better-sqlite3");
const database = new Database(file, { readonly: true });
vm.runInThisContext(readFileSync(new URL("dist/ssr.js", import.meta.url), "utf8"));

// What stands around a page, and what its JSON says of everybody, from a page of ours.
const ours = readFileSync(document, "utf8");
const around = /^(.*<div id="root">).*<\/div><script[^>]*id="page"[^>]*>(.*?)(<\/script>.*)$/s;
const [, head, json, tail] = around.exec(ours);
const shared = JSON.parse(json);

const session = database.prepare(
  `select u.user_id, u.username, u.email, u.phone, u.first_name, u.last_name, u.company_name,
     u.gstin, a.balance_paise
   from sessions s join users u on u.user_id = s.user_id
   left join ledger_accounts a on a.account_id = 'available:' || u.user_id
   where s.token_hash = ? and s.expires_ms > ?`,
);
const stats = database.prepare(
  `select count(*) as total, coalesce(sum(amount_paise), 0) as amount,
     coalesce(sum(status in ('pending', 'processing', 'shipped', 'booked')), 0) as pending,
     coalesce(sum(status = 'delivered'), 0) as delivered
   from bookings where user_id = ? and status <> 'failed'`,
);
const months = database.prepare(
  `select strftime('%Y-%m', (created_ms + 19800000) / 1000, 'unixepoch') as month,
     count(*) as bookings, sum(amount_paise) as amount
   from bookings where user_id = ? and status not in ('failed', 'cancelled') and created_ms >= ?
   group by 1`,
);
const bookings = database.prepare(
  `select * from bookings where user_id = ? and status <> 'failed'
   order by created_ms desc, booking_id limit ?`,
);
const lines = database.prepare(
  `select t.transaction_id, t.kind, t.reference, t.description, t.created_ms, e.amount_paise,
     e.balance_after_paise, b.awb
   from ledger_entries e
   join ledger_transactions t on t.transaction_id = e.transaction_id
   left join bookings b on b.booking_id = t.reference
   where e.account_id = ? order by t.wallet_seq desc, e.line desc limit ?`,
);
const lineCount = database.prepare("select count(*) as n from ledger_entries where account_id = ?");

const rupees = (paise) => paise / 100;

const booking = (row) => ({
  id: row.booking_id,
  awb_number: row.awb,
  consignee_name: row.consignee_name,
  consignee_pincode: row.destination_pincode,
  rate: rupees(row.amount_paise),
  amount: rupees(row.amount_paise),
  status: row.status,
  booking_date: row.created_ms,
  created_at: row.created_ms,
  origin_city: row.origin_city,
  origin: row.origin_pincode,
  destination_city: row.destination_city,
  destination: row.destination_pincode,
  weight: row.weight_grams / 1000,
  product_name: row.product_name,
});

const line = (row) => ({
  id: row.transaction_id,
  transaction_type: row.amount_paise < 0 ? "debit" : "credit",
  amount: rupees(Math.abs(row.amount_paise)),
  status: "completed",
  description: row.description,
  created_at: row.created_ms,
  balance_after: rupees(row.balance_after_paise),
  link:
    row.kind === "recharge"
      ? `/recharge/success?merchantTransactionId=${row.reference}`
      : row.awb === null
        ? null
        : `/track/${row.awb}`,
  receipt: row.kind === "recharge" ? `/recharge/receipt/${row.reference}.pdf` : null,
});

/** The same JSON as ours: `shared` is a page of ours, of which all that is a customer's is new. */
function page(user, query) {
  const rows = shared.data.bookings.results.length;
  const shown = shared.data.transactions.results.length;
  const { user_id, balance_paise, ...profile } = user;
  const account = `available:${user_id}`;
  const sums = stats.get(user_id);
  const [first] = shared.data.bookings.months;
  const begin = Date.parse(`${first.month}-01T00:00:00+05:30`);
  const booked = new Map(months.all(user_id, begin).map((row) => [row.month, row]));
  return {
    ...shared,
    query,
    user: { ...profile, balance: rupees(balance_paise) },
    data: {
      ...shared.data,
      balance: rupees(balance_paise),
      bookings: {
        results: bookings.all(user_id, rows).map(booking),
        count: sums.total,
        stats: { ...sums, amount: rupees(sums.amount) },
        months: shared.data.bookings.months.map(({ month }) => ({
          month,
          bookings: booked.get(month)?.bookings ?? 0,
          amount: rupees(booked.get(month)?.amount ?? 0),
        })),
      },
      transactions: {
        results: lines.all(account, shown).map(line),
        count: lineCount.get(account).n,
      },
    },
  };
}

const unsafe = { "<": "\\u003c", ">": "\\u003e", "&": "\\u0026" };
const gzip = promisify(zlib.gzip);
const brotli = promisify(zlib.brotliCompress);
const quality = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } };

async function compress(accepted, text) {
  if (accepted.includes("br")) return ["br", await brotli(text, quality)];
  if (accepted.includes("gzip")) return ["gzip", await gzip(text)];
  return [undefined, Buffer.from(text)];
}

const server = http.createServer(async (request, response) => {
  const token = /dakiya_session=([^;]+)/.exec(request.headers.cookie ?? "")?.[1] ?? "";
  const hash = createHash("sha256").update(token).digest("hex");
  const user = session.get(hash, Date.now());
  if (user === undefined) {
    response.writeHead(303, { location: "/login" }).end();
    return;
  }
  const { searchParams } = new URL(request.url, "http://peer");
  const text = JSON.stringify(page(user, Object.fromEntries(searchParams)));
  const html = globalThis.render(text).slice(1);
  const safe = text.replace(/[<>&]/g, (letter) => unsafe[letter]);
  const whole = `${head}${html}</div><script type="application/json" id="page">${safe}${tail}`;
  const [coding, body] = await compress(request.headers["accept-encoding"] ?? "", whole);
  response.setHeader("content-type", "text/html; charset=utf-8");
  response.setHeader("cache-control", "no-store");
  if (coding !== undefined) response.setHeader("content-encoding", coding);
  response.setHeader("content-length", body.length);
  response.end(body);
});
server.listen(Number(port), "127.0.0.1");
