export function Courier() {
  return <h1>Courier</h1>;
}
