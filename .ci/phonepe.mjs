// Uses PhonePe's own client against our sandbox as a merchant does; see .ci/phonepe.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const {
  CreateSdkOrderRequest,
  Env,
  RefundRequest,
  StandardCheckoutClient,
  StandardCheckoutPayRequest,
} = require("pg-sdk-node");
// The client knows two hosts by heart: its sandbox becomes ours. Nothing else of it is changed.
const { BaseUrl } = require("pg-sdk-node/dist/common/constants/BaseUrl");
const { CLIENT_ID, CLIENT_SECRET, USERNAME, PASSWORD, SANDBOX } = process.env;
BaseUrl.SANDBOX.PG_HOST_URL = SANDBOX;
BaseUrl.SANDBOX.OAUTH_HOST_URL = SANDBOX;

const say = (step, told) => console.log(`ok  ${step}: ${told}`);
const sim = async (method, path, body) => {
  const answer = await fetch(`${SANDBOX}/__sim/${path}`, {
    method,
    headers: { "content-type": "application/json" },
    body: body && JSON.stringify(body),
  });
  assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.clone().text()}`);
};

// Callbacks come here, as to a merchant.
const callbacks = [];
const merchant = createServer((request, response) => {
  let body = "";
  request.on("data", (part) => (body += part));
  request.on("end", () => {
    callbacks.push({ authorization: request.headers.authorization, body });
    response.end();
  });
}).listen(0, "127.0.0.1");
await new Promise((resolve) => merchant.on("listening", resolve));
const callback_url = `http://127.0.0.1:${merchant.address().port}/callback`;
await sim("PATCH", "settings", { callback_url, refund_step_ms: 50 });
const called = async (event) => {
  for (let tries = 0; tries < 100; tries += 1) {
    const found = callbacks.find(({ body }) => JSON.parse(body).event === event);
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no callback ${event}`);
};

const client = StandardCheckoutClient.getInstance(CLIENT_ID, CLIENT_SECRET, 1, Env.SANDBOX);
const redirect = "http://127.0.0.1:9/back";

const paid = await client.pay(
  StandardCheckoutPayRequest.builder()
    .merchantOrderId("SDK-1")
    .amount(50_000)
    .redirectUrl(redirect)
    .build(),
);
assert.equal(paid.state, "PENDING");
assert.ok(paid.redirectUrl.startsWith(SANDBOX));
say("pay", paid.orderId);

assert.equal((await client.getOrderStatus("SDK-1")).state, "PENDING");
await sim("POST", "orders/SDK-1/act", { action: "fail_attempt", code: "ZM" });
await sim("POST", "orders/SDK-1/act", { action: "pay" });
const latest = await client.getOrderStatus("SDK-1");
assert.equal(latest.state, "COMPLETED");
assert.equal(latest.amount, 50_000);
assert.equal(latest.paymentDetails.length, 1);
const all = await client.getOrderStatus("SDK-1", true);
assert.equal(all.paymentDetails.length, 2);
say("getOrderStatus", `${latest.state}, ${all.paymentDetails.length} attempts`);

const attempt = await client.getTransactionStatus(latest.paymentDetails[0].transactionId);
assert.equal(attempt.state, "COMPLETED");
say("getTransactionStatus", attempt.paymentDetails[0].transactionId);

const { authorization, body } = await called("checkout.order.completed");
const told = client.validateCallback(USERNAME, PASSWORD, authorization, body);
assert.equal(told.payload.state, "COMPLETED");
assert.throws(() => client.validateCallback(USERNAME, "another", authorization, body));
say("validateCallback", JSON.parse(body).event);

const refund = await client.refund(
  RefundRequest.builder()
    .merchantRefundId("SDK-R1")
    .originalMerchantOrderId("SDK-1")
    .amount(20_000)
    .build(),
);
assert.equal(refund.state, "PENDING");
const refunded = await called("pg.refund.completed");
assert.ok(client.validateCallback(USERNAME, PASSWORD, refunded.authorization, refunded.body));
const state = await client.getRefundStatus("SDK-R1");
assert.deepEqual([state.state, state.amount], ["COMPLETED", 20_000]);
say("refund and getRefundStatus", state.refundId);

const app = await client.createSdkOrder(
  CreateSdkOrderRequest.StandardCheckoutBuilder()
    .merchantOrderId("SDK-2")
    .amount(10_000)
    .redirectUrl(redirect)
    .build(),
);
assert.ok(app.token.length > 0 && app.orderId.startsWith("OMO"));
assert.equal((await client.getOrderStatus("SDK-2")).state, "PENDING");
say("createSdkOrder", app.orderId);

await assert.rejects(client.getOrderStatus("SDK-unknown"), /PhonePe|order|id/i);
say("an unknown order", "is refused");
merchant.close();
