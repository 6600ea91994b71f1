import type { FormEvent, ReactNode } from "react";
import { NO_FILTER, type Filter } from "../filter";
import { DASHBOARD_PAGE_SIZE } from "../limits";
import type { DashboardTab } from "../page";
import { Button } from "../parts/button";
import { LoadFailed } from "../parts/load-failed";
import { Skeleton } from "../parts/skeleton";
import { searchOf } from "../query";
import type { Resource } from "../use-resource";
import { useWords } from "../words/words";

/** The address of a tab, its page and its filter. */
export function tabHref(tab: DashboardTab, page: number, filter: Filter = NO_FILTER): string {
  if (tab === "overview") return "/dashboard";
  return `/dashboard${searchOf({ tab, page: page === 1 ? "" : String(page), ...filter })}`;
}

type RefreshProps = {
  tab: DashboardTab;
  page: number;
  filter?: Filter;
  resource: Resource<unknown>;
};

/** A form, so that it asks the server anew even without JavaScript. */
export function Refresh({ tab, page, filter = NO_FILTER, resource }: RefreshProps) {
  const t = useWords();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    resource.reload();
  };
  const kept = Object.entries(filter).filter(([, value]) => value !== "");
  return (
    <form method="get" action="/dashboard" onSubmit={submit}>
      <input type="hidden" name="tab" value={tab} />
      <input type="hidden" name="page" value={page} />
      {kept.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button type="submit" busy={resource.loading}>
        {t("Refresh")}
      </Button>
    </form>
  );
}

type ListProps<T> = {
  resource: Resource<T & { results: readonly unknown[] }>;
  empty: ReactNode;
  children: (data: T) => ReactNode;
};

/** A list's four faces: failed, loading, empty, there. */
export function List<T>({ resource, empty, children }: ListProps<T>) {
  const { data, error } = resource;
  if (error !== null) return <LoadFailed resource={resource} />;
  if (data === null) return <Skeleton lines={DASHBOARD_PAGE_SIZE + 1} label="Loading" />;
  return data.results.length === 0 ? empty : children(data);
}
