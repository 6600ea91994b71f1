export function Register() {
  return <h1>Register</h1>;
}
