/** Equal content gives equal text, whatever the order of its fields. */
export function canonicalJson(content: unknown): string {
  return JSON.stringify(content, (_name, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}
