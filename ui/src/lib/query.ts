/** "?a=1&b=2" without what is empty; "" when nothing is left. */
export function searchOf(values: Record<string, string>): string {
  const pairs = Object.entries(values)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}
