/** A sealed letter: the mark beside the product's name. */
export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <rect className="logo-ground" width="32" height="32" rx="7" />
      <path className="logo-line" d="M7 10h18v13H7zM7 10.5l9 7 9-7" />
    </svg>
  );
}
