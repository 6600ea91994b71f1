/** The names and values of "?a=1&b=2". By hand: the server's engines have no URLSearchParams. */
export function queryOf(search: string): Record<string, string> {
  const pairs = search.replace(/^\?/, "").split("&");
  const named = pairs.filter((pair) => pair !== "" && !pair.startsWith("="));
  return Object.fromEntries(
    named.map((pair) => {
      const [name = "", ...rest] = pair.split("=");
      return [decode(name), decode(rest.join("="))];
    }),
  );
}

/** "?a=1&b=2" without what is empty; "" when nothing is left. */
export function searchOf(values: Record<string, string>): string {
  const pairs = Object.entries(values)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, " "));
  } catch {
    return text;
  }
}
