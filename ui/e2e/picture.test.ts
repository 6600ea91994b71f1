import { writeFile } from "node:fs/promises";
import { signIn } from "./harness/customer";
import { journey } from "./harness/journey";
import { bookParcel } from "./harness/setup";
import { LAPTOP } from "./harness/visitor";

const WANTED = process.env["DAKIYA_PROVE"] === "picture";

/** The picture of README.md: `./build.sh prove picture` takes it anew. */
journey.runIf(WANTED)("the dashboard of a customer with bookings", async ({ asha, server }) => {
  const { customer } = await bookParcel(server);
  for (const consignee_name of ["Meera Iyer", "Farhan Shaikh"])
    await bookParcel(server, customer, { consignee_name });
  await signIn(asha, customer, "/dashboard");
  const { page } = asha;
  await page.waitForLoadState("networkidle");
  // The side panel is as high as the window.
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ ...LAPTOP, height });
  const png = await page.screenshot();
  // The browser itself writes the smaller format. Only a blank page may load a picture from data.
  const blank = await page.context().newPage();
  const webp = await blank.evaluate(
    async (source) => {
      const picture = new Image();
      picture.src = source;
      await picture.decode();
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [picture.width, picture.height];
      canvas.getContext("2d")?.drawImage(picture, 0, 0);
      return canvas.toDataURL("image/webp", 0.8);
    },
    `data:image/png;base64,${png.toString("base64")}`,
  );
  await blank.close();
  await writeFile("ui/screenshot.webp", Buffer.from(webp.split(",")[1] ?? "", "base64"));
});
