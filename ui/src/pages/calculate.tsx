export function Calculate() {
  return <h1>Calculate</h1>;
}
