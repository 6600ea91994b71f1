import { expect } from "vitest";
import { look } from "./harness/audit";
import { bookParcel } from "./harness/setup";
import { journey } from "./harness/journey";
import { PHONE } from "./harness/visitor";

journey("a receiver sees who brings it, where to and when about", async ({ visit, server }) => {
  const { awb } = await bookParcel(server);
  const receiver = await visit({ viewport: PHONE });
  await receiver.page.goto(`/track/${awb}`);
  await receiver.sees("Tracking History");
  const facts = await receiver.page.locator(".tracking-summary").innerText();
  expect(facts).toMatch(/Courier\s+Dakiya\n/);
  expect(facts).toMatch(/Service\s+Dakiya \w+/);
  expect(facts).toMatch(/Destination\s+Bengaluru/);
  expect(facts).toMatch(/Expected\s+about \d+ \w+ \d{4}/);
  const reached = receiver.page.getByRole("list", { name: "Progress" }).locator("[aria-current]");
  await expect.poll(() => reached.innerText()).toBe("Booked");
  const shown = await receiver.page.locator("body").innerText();
  expect(shown).not.toMatch(/\bhouse\b|\bdakiya\b|N\/A|Asha|Ravi|Janpath|98765|₹/);
  await look(receiver, "track-1-receiver");

  await receiver.presses("Request a call");
  await receiver.sees("Request received.");
  await expect
    .poll(() => receiver.page.getByRole("button", { name: "Request a call" }).count())
    .toBe(0);
  await look(receiver, "track-2-call-asked");

  // By a navigation in the browser too.
  await receiver.page.goto("/track");
  await receiver.fills({ "AWB Number": awb });
  await receiver.presses("Track");
  await receiver.sees("Dakiya Surface");
  await expect.poll(() => receiver.page.locator(".courier-mark .logo").count()).toBe(1);
});
