import { createContext, useContext } from "react";
import type { PageData } from "../wire";

/** What of the page data holds for the whole visit: who runs the site, and the server's clock. */
type Site = Pick<PageData, "language" | "company" | "sandbox" | "now_ms">;

export const SiteContext = createContext<Site | null>(null);

export function useSite(): Site {
  const site = useContext(SiteContext);
  if (site === null) throw new Error("useSite outside of App");
  return site;
}
