import { messages } from "../messages";
import type { Page, Screen } from "../page";
import { ApiError } from "./error";

/**
 * What the server sends along with a screen, for those who come to it without a page load: the
 * screen's document is fetched and its page JSON read. It serves what has no call of its own in
 * the API (specification, section 7), such as the payments still pending.
 */
export async function pageData<T>(
  screen: Screen,
  path: string,
  signal: AbortSignal,
  fallback: string,
): Promise<T> {
  let page: Page;
  try {
    const response = await fetch(path, { headers: { accept: "text/html" }, signal });
    const text = await response.text();
    const parsed = new DOMParser().parseFromString(text, "text/html");
    page = JSON.parse(parsed.getElementById("page")?.textContent ?? "") as Page;
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new ApiError(fallback, 0, { code: "network" });
  }
  // Another screen means that the server sent us elsewhere: the session is over.
  if (page.screen !== screen) throw new ApiError(messages.unauthorized, 401);
  if (page.data === null) throw new ApiError(fallback, 500);
  return page.data as T;
}
