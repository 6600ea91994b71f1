/** The names and values of "?a=1&b=2". By hand: the server's engines have no URLSearchParams. */
export function queryOf(search: string): Record<string, string> {
  const query: Record<string, string> = {};
  for (const pair of search.replace(/^\?/, "").split("&")) {
    const [name = "", ...rest] = pair.split("=");
    if (name !== "") query[decode(name)] = decode(rest.join("="));
  }
  return query;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, " "));
  } catch {
    return text;
  }
}
