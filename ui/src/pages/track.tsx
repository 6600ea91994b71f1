export function Track() {
  return <h1>Track</h1>;
}
