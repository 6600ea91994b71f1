import { useLocation } from "react-router";
import { useAlerts } from "../alerts";
import { useApi } from "../api/context";
import { DASHBOARD_PAGE_SIZE } from "../limits";
import { messages } from "../messages";
import type { DashboardData, DashboardTab, History, Transactions } from "../page";
import {
  BookingsTable,
  BookingsTableShort,
  TransactionsTable,
  TransactionsTableShort,
} from "./dashboard-tables";
import { Heading, HeadingRow } from "../parts/heading";
import { pageCount, Pager } from "../parts/pager";
import { Skeleton } from "../parts/skeleton";
import { Empty, ErrorBox } from "../parts/status";
import { Button } from "../parts/button";
import { rupees } from "../format";
import { queryOf } from "../query";
import { useSession } from "../session";
import { useResource, type Resource } from "../use-resource";
import type { FormEvent, ReactNode } from "react";

const TABS: readonly { tab: DashboardTab; label: string }[] = [
  { tab: "overview", label: "Overview" },
  { tab: "bookings", label: "Bookings" },
  { tab: "transactions", label: "Transactions" },
];

export function Dashboard({ data }: { data: DashboardData | null }) {
  const { tab, page } = useTab();
  const { balance, bookings, transactions } = useDashboard(tab, page, data);
  return (
    <>
      <Heading>Dashboard</Heading>
      <Cards balance={balance} history={bookings} />
      <nav className="tabs" aria-label="Dashboard">
        {TABS.map((entry) => (
          <a
            key={entry.tab}
            href={tabHref(entry.tab, 1)}
            aria-current={entry.tab === tab ? "page" : undefined}
          >
            {entry.label}
          </a>
        ))}
      </nav>
      {tab === "overview" && <Overview bookings={bookings} transactions={transactions} />}
      {tab === "bookings" && <Bookings page={page} bookings={bookings} />}
      {tab === "transactions" && <Movements page={page} transactions={transactions} />}
    </>
  );
}

/** The address says which tab and page: a choice can be shared, and works without JavaScript. */
function useTab(): { tab: DashboardTab; page: number } {
  const query = queryOf(useLocation().search);
  const tab = TABS.find((entry) => entry.tab === query["tab"])?.tab ?? "overview";
  const page = Number(query["page"] ?? "1");
  const whole = Number.isInteger(page) && page >= 1 ? page : 1;
  return { tab, page: tab === "overview" ? 1 : whole };
}

function tabHref(tab: DashboardTab, page: number): string {
  if (tab === "overview") return "/dashboard";
  return page === 1 ? `/dashboard?tab=${tab}` : `/dashboard?tab=${tab}&page=${page}`;
}

/** Balance, bookings and transactions, side by side, each with its own loading and error state. */
function useDashboard(tab: DashboardTab, page: number, data: DashboardData | null) {
  const api = useApi();
  const { showAlert } = useAlerts();
  const session = useSession();
  const size = DASHBOARD_PAGE_SIZE;
  const bookingsPage = tab === "bookings" ? page : 1;
  const transactionsPage = tab === "transactions" ? page : 1;

  const balance = useResource<number>({
    key: "balance",
    initial: data?.balance ?? null,
    fallback: messages.dashboardFailed,
    load: async (signal) => {
      const answer = await api.balance(signal);
      if (session.user !== null) session.setUser({ ...session.user, balance: answer.balance });
      return answer.balance;
    },
    onError: () => showAlert("error", messages.dashboardFailed),
  });
  const bookings = useResource<History>({
    key: `bookings ${bookingsPage}`,
    initial: data?.bookings ?? null,
    keep: true,
    fallback: messages.bookingsFailed,
    load: (signal) => api.history(bookingsPage, size, signal),
    onError: () => showAlert("error", messages.bookingsFailed),
  });
  const transactions = useResource<Transactions>({
    key: `transactions ${transactionsPage}`,
    initial: data?.transactions ?? null,
    keep: true,
    fallback: messages.transactionsFailed,
    load: (signal) => api.transactions(transactionsPage, size, signal),
    onError: () => showAlert("error", messages.transactionsFailed),
  });
  return { balance, bookings, transactions };
}

type CardsProps = { balance: Resource<number>; history: Resource<History> };

function Cards({ balance, history }: CardsProps) {
  const stats = history.data?.stats;
  return (
    <dl className="cards">
      <Card label="Total Bookings" value={stats && String(stats.total)} />
      <Card
        label="Wallet Balance"
        value={balance.data === null ? undefined : rupees(balance.data)}
      />
      <Card label="Pending" value={stats && String(stats.pending)} />
      <Card label="Delivered" value={stats && String(stats.delivered)} />
    </dl>
  );
}

function Card({ label, value }: { label: string; value: string | undefined }) {
  return (
    <div className="card-figure">
      <dt>{label}</dt>
      <dd>{value ?? "–"}</dd>
    </div>
  );
}

type OverviewProps = { bookings: Resource<History>; transactions: Resource<Transactions> };

function Overview({ bookings, transactions }: OverviewProps) {
  return (
    <div className="columns">
      <section className="card">
        <HeadingRow title="Recent Bookings">
          <a href={tabHref("bookings", 1)}>View all</a>
        </HeadingRow>
        <List resource={bookings} empty={<Empty title={messages.noBookings} />}>
          {(history) => <BookingsTableShort rows={history.results.slice(0, DASHBOARD_PAGE_SIZE)} />}
        </List>
      </section>
      <section className="card">
        <HeadingRow title="Recent Transactions">
          <a href={tabHref("transactions", 1)}>View all</a>
        </HeadingRow>
        <List resource={transactions} empty={<Empty title={messages.noTransactions} />}>
          {(list) => <TransactionsTableShort rows={list.results.slice(0, DASHBOARD_PAGE_SIZE)} />}
        </List>
      </section>
    </div>
  );
}

function Bookings({ page, bookings }: { page: number; bookings: Resource<History> }) {
  return (
    <section className="card">
      <HeadingRow title="Bookings">
        <Refresh tab="bookings" page={page} resource={bookings} />
      </HeadingRow>
      <List
        resource={bookings}
        empty={<Empty title={messages.noBookings} hint={messages.noBookingsHint} />}
      >
        {(history) => <BookingsTable rows={history.results} />}
      </List>
      <Pager
        page={page}
        pages={pageCount(bookings.data?.count ?? 0, DASHBOARD_PAGE_SIZE)}
        label="Pages of bookings"
        href={(to) => tabHref("bookings", to)}
      />
    </section>
  );
}

type MovementsProps = { page: number; transactions: Resource<Transactions> };

function Movements({ page, transactions }: MovementsProps) {
  return (
    <section className="card">
      <HeadingRow title="Transactions">
        <Refresh tab="transactions" page={page} resource={transactions} />
      </HeadingRow>
      <List
        resource={transactions}
        empty={<Empty title={messages.noTransactions} hint={messages.noTransactionsHint} />}
      >
        {(list) => <TransactionsTable rows={list.results} />}
      </List>
      <Pager
        page={page}
        pages={pageCount(transactions.data?.count ?? 0, DASHBOARD_PAGE_SIZE)}
        label="Pages of transactions"
        href={(to) => tabHref("transactions", to)}
      />
    </section>
  );
}

type RefreshProps = { tab: DashboardTab; page: number; resource: Resource<unknown> };

/** A form, so that it asks the server anew even without JavaScript. */
function Refresh({ tab, page, resource }: RefreshProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    resource.reload();
  };
  return (
    <form method="get" action="/dashboard" onSubmit={submit}>
      <input type="hidden" name="tab" value={tab} />
      <input type="hidden" name="page" value={page} />
      <Button type="submit" busy={resource.loading}>
        Refresh
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
function List<T>({ resource, empty, children }: ListProps<T>) {
  const { data, error, reload } = resource;
  if (error !== null) {
    return (
      <ErrorBox>
        <p>{error}</p>
        <Button onClick={reload}>Try again</Button>
      </ErrorBox>
    );
  }
  if (data === null) return <Skeleton lines={DASHBOARD_PAGE_SIZE + 1} label="Loading" />;
  return data.results.length === 0 ? empty : children(data);
}
