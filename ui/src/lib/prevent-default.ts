import type { SyntheticEvent } from "react";

/** A listener that acts in the place of the browser, which would send the plain form. */
export function preventDefault(act: () => void) {
  return (event: SyntheticEvent) => {
    event.preventDefault();
    act();
  };
}
