export function Recharge() {
  return <h1>Recharge</h1>;
}
