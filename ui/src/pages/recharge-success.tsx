export function RechargeSuccess() {
  return <h1>RechargeSuccess</h1>;
}
