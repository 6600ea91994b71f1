import { expect } from "vitest";
import type { WeightClaims } from "../src/wire";
import { look } from "./harness/audit";
import { signIn } from "./harness/customer";
import { bookParcel, type SentParcel } from "./harness/setup";
import { journey } from "./harness/journey";
import type { Server } from "./harness/server";
import { paysAtGateway, rupees } from "./harness/steps";
import { SCRIPTS, type Visitor } from "./harness/visitor";

const PAGE = "/wallet/weight-differences";

/** The courier says that the parcel was of 9 kg, which costs ₹118.00 more. */
async function addClaim(server: Server, { awb }: SentParcel, reference: string) {
  const proof = `https://courier.example.in/${reference}.jpg`;
  const money = ["--taxable", "100", "--courier-amount", "60"];
  const claim = ["--grams", "9000", "--courier-reference", reference, "--proof", proof];
  const record = ["--reason", "by mail", "--as", "meera"];
  await server.operate("weights", "claim", awb, ...money, ...claim, ...record);
}

/** All but so many rupees are taken out of the wallet. */
async function leaveInWallet(server: Server, sent: SentParcel, rupees: number) {
  const gone = (rupees - (await sent.reader.balance())).toFixed(2);
  const record = ["--correction", "--reason", "a journey", "--as", "meera"];
  await server.operate("wallet", "adjust", sent.customer.username, gone, ...record);
}

/** The part of the page about the claim with this proof. */
const claimOf = ({ page }: Visitor, reference: string) =>
  page.locator("section").filter({ has: page.locator(`a[href$="${reference}.jpg"]`) });

for (const { how, script } of SCRIPTS) {
  journey(
    `of two claims of a courier one is disputed and one is paid ${how} JavaScript`,
    async ({ visit, server }) => {
      const sent = await bookParcel(server);
      const [one, other] = script ? ["scale-1", "scale-2"] : ["scale-3", "scale-4"];
      await addClaim(server, sent, one);
      await addClaim(server, sent, other);
      const before = await sent.reader.balance();
      const asha = await visit({ javaScriptEnabled: script });
      if (!script) asha.expect(/400/);
      await signIn(asha, sent.customer, "/recharge");
      await asha.sees("Waiting for your answer: 2.");
      await look(asha, "weights-0-wallet");
      await asha.follows("See weight differences");
      await asha.isAt(PAGE);
      await asha.sees("Nothing is taken before you accept it or we have decided.");
      await look(asha, "weights-1-open");

      const wrong = claimOf(asha, one);
      await wrong.getByLabel("Or say why it is wrong").fill("  ");
      await wrong.getByRole("button", { name: "Dispute" }).click();
      await asha.sees("Please say why, in at most 500 letters.");
      const reason = wrong.getByLabel("Or say why it is wrong");
      await expect.poll(() => reason.getAttribute("aria-invalid")).toBe("true");
      if (script) {
        await expect.poll(() => reason.evaluate((it) => it === document.activeElement)).toBe(true);
        await look(asha, "weights-2-no-reason");
      }
      await reason.fill("I weighed it: 2.4 kg.");
      await wrong.getByRole("button", { name: "Dispute" }).click();
      await asha.sees("Thank you. We are looking at it, and nothing is taken meanwhile.");
      await claimOf(asha, one).getByText("You wrote: I weighed it: 2.4 kg.").waitFor();
      await expect.poll(() => claimOf(asha, one).getByRole("button").count()).toBe(0);
      expect(await sent.reader.balance()).toBe(before);

      await claimOf(asha, other).getByRole("button", { name: "Accept and pay ₹118.00" }).click();
      await asha.sees("The weight difference is paid.");
      await claimOf(asha, other)
        .getByRole("link", { name: /^Debit note DN/ })
        .waitFor();
      expect(await sent.reader.balance()).toBeCloseTo(before - 118, 2);
      await asha.sees(`Balance: ${rupees(before - 118)}`);
      await look(asha, "weights-3-answered");
    },
  );
}

journey(
  "a wallet that does not cover a claim leads to exactly what is missing, and back",
  async ({ asha, server }) => {
    const sent = await bookParcel(server);
    await addClaim(server, sent, "scale-5");
    await signIn(asha, sent.customer, PAGE);
    // Spent elsewhere meanwhile.
    await leaveInWallet(server, sent, 10.5);
    asha.expect(/402/);
    const accept = asha.page.getByRole("button", { name: "Accept and pay ₹118.00" });
    await accept.click();
    await asha.sees("Your wallet does not cover this amount. Please recharge it first.");
    await asha.sees("You are short by ₹107.50.");
    await expect.poll(() => accept.isDisabled()).toBe(true);
    await look(asha, "weights-4-short");

    await asha.follows("Add ₹108 and come back");
    await asha.sees("Short by ₹107.50.");
    await asha.presses("Recharge ₹108");
    await paysAtGateway(asha);
    await asha.sees("Redirecting to where you were...");
    await asha.isAt(PAGE);
    await accept.click();
    await asha.sees("The weight difference is paid.");
    expect(await sent.reader.balance()).toBeCloseTo(0.5, 2);
  },
);

journey(
  "a claim is told, answered and decided in Hindi, and all that is said has its words",
  async ({ visit, server }) => {
    const sent = await bookParcel(server);
    await addClaim(server, sent, "scale-6");
    const asha = await visit({ locale: "hi-IN" });
    await signIn(asha, sent.customer, PAGE);
    await look(asha, "hindi-weights-1-open");
    await asha.page.getByLabel(asha.t("Or say why it is wrong")).fill("मैंने तौला था।");
    await asha.page.getByRole("button", { name: asha.t("Dispute") }).click();
    await asha.sees("Thank you. We are looking at it, and nothing is taken meanwhile.");
    await look(asha, "hindi-weights-2-disputed");
    const { results } = await sent.reader.get<WeightClaims>("wallet/weight-differences/");
    const record = ["--reason", "another parcel", "--as", "meera"];
    await server.operate("weights", "decide", results[0]?.id ?? "", "--drop", ...record);
    await asha.page.reload();
    await asha.sees("The courier’s claim was dropped. Nothing was taken from your wallet.");
    await look(asha, "hindi-weights-3-dropped");
  },
);
