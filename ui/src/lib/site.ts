import type { PageData } from "../wire";
import { appContext } from "./app-context";

/** The site: the part of the page data that holds for the whole visit. */
type Site = Pick<PageData, "language" | "company" | "sandbox" | "passkeys" | "today">;

export const [SiteContext, useSite] = appContext<Site>("useSite");
