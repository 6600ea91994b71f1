import { createContext, useContext } from "react";

/** A context that `App` provides, and the hook that reads it; a read outside of `App` throws. */
export function appContext<T>(hook: string) {
  const Context = createContext<T | null>(null);
  const useValue = (): T => {
    const value = useContext(Context);
    if (value === null) throw new Error(`${hook} outside of App`);
    return value;
  };
  return [Context, useValue] as const;
}
