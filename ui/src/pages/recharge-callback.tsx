export function RechargeCallback() {
  return <h1>RechargeCallback</h1>;
}
