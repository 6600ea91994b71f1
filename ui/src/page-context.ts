import { createContext, useContext } from "react";
import type { Company, Language } from "./page";

/** What holds for the whole visit: who runs the site, and the server's clock when it answered. */
export type Site = { language: Language; company: Company; sandbox: boolean; now_ms: number };

export const SiteContext = createContext<Site | null>(null);

export function useSite(): Site {
  const site = useContext(SiteContext);
  if (site === null) throw new Error("useSite outside of App");
  return site;
}
