import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { galleryDocument, GALLERY } from "../gallery/document";
import { accessibilityFaults, contrastFaults, widthFaults } from "./harness/audit";
import { journey } from "./harness/journey";
import { LAPTOP, NARROWEST, PHONE } from "./harness/visitor";

/** The style sheet of the product, as its server sends it. */
function styles(): string[] {
  const manifest = JSON.parse(readFileSync("ui/dist/.vite/manifest.json", "utf8")) as Record<
    string,
    { css?: string[] }
  >;
  return Object.values(manifest).flatMap(({ css = [] }) => css.map((path) => `/${path}`));
}

for (const language of ["en", "hi"] as const) {
  journey(
    `all parts in all their states are accessible by day and by night (${language})`,
    async ({ asha }) => {
      const product = await asha.request.get(GALLERY);
      expect(product.status(), "the product has no such page").toBe(404);
      const body = galleryDocument(language, styles());
      await asha.page.route(`**${GALLERY}`, (route) =>
        route.fulfill({ contentType: "text/html; charset=utf-8", body }),
      );
      const found: string[] = [];
      for (const size of [LAPTOP, PHONE, NARROWEST]) {
        await asha.page.setViewportSize(size);
        await asha.page.goto(GALLERY);
        for (const fault of await widthFaults(asha.page)) found.push(`${size.width}: ${fault}`);
        await asha.photograph(`${size.width}/parts-${language}`);
        for (const fault of await accessibilityFaults(asha.page)) found.push(fault);
        await asha.page.emulateMedia({ colorScheme: "dark" });
        await asha.photograph(`${size.width}/parts-${language}-dark`);
        for (const fault of await contrastFaults(asha.page)) found.push(`dark: ${fault}`);
        await asha.page.emulateMedia({ colorScheme: "light" });
      }
      expect(found).toEqual([]);
    },
  );
}
