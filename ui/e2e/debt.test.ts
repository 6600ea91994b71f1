import { look } from "./harness/audit";
import { signIn } from "./harness/customer";
import { bookParcel } from "./harness/setup";
import { journey } from "./harness/journey";
import { rupees } from "./harness/steps";
import { SCRIPTS } from "./harness/visitor";

for (const { how, script } of SCRIPTS) {
  journey(
    `what a bank took back and was spent is owed ${how} JavaScript`,
    async ({ visit, server }) => {
      const { customer, reader, order } = await bookParcel(server);
      const price = 5_000 - (await reader.balance());
      const taken = ["chargeback", order, "--reference", `CB-${how}`, "--no-freeze"];
      await server.operate("payments", ...taken, "--reason", "by mail", "--as", "meera");
      const asha = await visit({ javaScriptEnabled: script });
      await signIn(asha, customer, "/recharge");
      const owed = `You owe us ${rupees(price)}.`;
      await asha.sees(owed);
      await look(asha, "debt-0-recharge");
      await asha.page.goto("/dashboard?tab=transactions");
      await asha.sees(owed);
      await look(asha, "debt-1-statement");
    },
  );
}
