import { createContext, useContext } from "react";
import type { Api } from "./api";

export const ApiContext = createContext<Api | null>(null);

/** The calls to the server. Pages use it; parts never do. */
export function useApi(): Api {
  const api = useContext(ApiContext);
  if (api === null) throw new Error("useApi outside of App");
  return api;
}
