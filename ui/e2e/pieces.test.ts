import { expect } from "vitest";
import { observe } from "./harness/audit";
import { signIn } from "./harness/customer";
import { journey } from "./harness/journey";
import { startSlowDelivery } from "./harness/pieces";
import { bookParcel } from "./harness/setup";
import { LAPTOP, PHONE } from "./harness/visitor";

const ARRIVING = {
  guests: ["/login", "/track", "/help", "/privacy-policy"],
  members: ["/dashboard", "/recharge", "/help"],
};

for (const [who, paths] of Object.entries(ARRIVING)) {
  for (const locale of ["en-IN", "hi-IN"]) {
    journey(
      `nothing moves while pages for ${who} in ${locale} arrive in pieces`,
      async ({ visit, server, onTestFinished }) => {
        const delivery = await startSlowDelivery(server);
        onTestFinished(delivery.stop);
        const { customer } = await bookParcel(server);
        for (const viewport of [PHONE, LAPTOP]) {
          const asha = await visit({ viewport, locale });
          if (who === "members") await signIn(asha, customer);
          await observe(asha.page);
          for (const path of paths) {
            // The first page brings its style, the second finds it in the browser.
            for (const visited of ["first", "again"]) {
              await asha.page.goto(delivery.url + path);
              const shifts = await asha.page.evaluate(() => window.observed.shifts);
              expect(shifts, `${path} ${visited} at ${viewport.width} px`).toEqual([]);
            }
          }
        }
      },
    );
  }
}
