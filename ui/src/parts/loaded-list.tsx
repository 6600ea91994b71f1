import type { ReactNode } from "react";
import { LoadFailed, type Reloadable } from "./load-failed";
import { Skeleton } from "./skeleton";

export type LoadedListProps<T> = {
  resource: Reloadable & { data: (T & { results: readonly unknown[] }) | null };
  /** The number of lines that stand in while it is loading. */
  lines: number;
  empty: ReactNode;
  children: (data: T) => ReactNode;
};

/** A list's four faces: failed, loading, empty, there. */
export function LoadedList<T>({ resource, lines, empty, children }: LoadedListProps<T>) {
  const { data, error } = resource;
  if (error !== null) return <LoadFailed resource={resource} />;
  if (data === null) return <Skeleton lines={lines} label="Loading" />;
  return data.results.length === 0 ? empty : children(data);
}
