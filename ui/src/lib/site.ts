import { createContext, useContext } from "react";
import type { PageData } from "../wire";

/** The site: the part of the page data that holds for the whole visit. */
type Site = Pick<PageData, "language" | "company" | "sandbox" | "passkeys" | "today">;

export const SiteContext = createContext<Site | null>(null);

export function useSite(): Site {
  const site = useContext(SiteContext);
  if (site === null) throw new Error("useSite outside of App");
  return site;
}
