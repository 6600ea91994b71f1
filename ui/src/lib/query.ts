/** "?a=1&b=2" without what is empty; "" when nothing is left. */
export function searchOf(values: Record<string, string>): string {
  const pairs = Object.entries(values)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

/** The values that an address has under these names; "" for none. */
export function valuesOf<Name extends string>(query: URLSearchParams, names: readonly Name[]) {
  const values = names.map((name) => [name, query.get(name) ?? ""]);
  return Object.fromEntries(values) as Record<Name, string>;
}

export function isFiltered(filter: Readonly<Record<string, string>>): boolean {
  return Object.values(filter).some((value) => value !== "");
}
