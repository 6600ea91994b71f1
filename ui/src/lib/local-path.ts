/**
 * Addresses of this site, so that no link to us leads a visitor to another one. The server has the
 * same rule; tests on both sides read `server/tests/local_paths.json`.
 */
import { LOCAL_PATH_BYTES_MAX } from "../wire";
import { attempt } from "./storage";

/** Letters, digits and marks of ASCII without quotes, angle brackets and the backslash. */
const LOCAL_PATH = /^\/[!#-&(-;=?-[\]-~]*$/;

/** The address if it is a path of this site, else null. */
export function localPath(text: string | null | undefined): string | null {
  if (typeof text !== "string" || text.length > LOCAL_PATH_BYTES_MAX) return null;
  const [path = ""] = text.split(/[?#]/, 1);
  return LOCAL_PATH.test(text) && !path.includes("//") ? text : null;
}

/** The page to go on to by this query, as the server reads it: the last one that is named. */
export function nextIn(query: URLSearchParams): string | null {
  return localPath(query.getAll("next").pop());
}

/** True for an address that the browser reads as one of this site. */
export function isOfThisSite(href: string): boolean {
  const { origin } = window.location;
  return attempt(() => new URL(href, origin).origin) === origin;
}

/** Loads a page of this site, and no other, in the place of this one. */
export function loadInstead(path: string) {
  if (isOfThisSite(path)) window.location.replace(path);
}
