import { useEffect } from "react";
import { useLocation } from "react-router";
import { useAlerts } from "../alerts";
import { useApi } from "../api/context";
import { DASHBOARD_PAGE_SIZE } from "../limits";
import { messages } from "../messages";
import type { DashboardData, DashboardTab, History, Transactions } from "../page";
import { filterOf, NO_FILTER, type Filter } from "../filter";
import { List, Refresh, tabHref } from "./dashboard-parts";
import { BookingsTable, BookingsTableShort, TransactionsTableShort } from "./dashboard-tables";
import { StatementTab } from "./statement-tab";
import { useSite } from "../page-context";
import { Heading, HeadingRow } from "../parts/heading";
import { pageCount, Pager } from "../parts/pager";
import { Spark } from "../parts/spark";
import { Empty } from "../parts/status";
import { monthName, rupees } from "../format";
import { queryOf } from "../query";
import { rememberSeen } from "../seen";
import { useSession } from "../session";
import { useResource, type Resource } from "../use-resource";
import { useWords } from "../words/words";

const TABS: readonly { tab: DashboardTab; label: string }[] = [
  { tab: "overview", label: "Overview" },
  { tab: "bookings", label: "Bookings" },
  { tab: "transactions", label: "Transactions" },
];

export function Dashboard({ data }: { data: DashboardData | null }) {
  const t = useWords();
  const { tab, page, filter } = useTab();
  const { balance, bookings, transactions } = useDashboard(tab, page, filter, data);
  return (
    <>
      <Heading>{t("Dashboard")}</Heading>
      <Cards balance={balance} history={bookings} />
      <nav className="tabs" aria-label={t("Dashboard")}>
        {TABS.map((entry) => (
          <a
            key={entry.tab}
            href={tabHref(entry.tab, 1)}
            aria-current={entry.tab === tab ? "page" : undefined}
          >
            {t(entry.label)}
          </a>
        ))}
      </nav>
      {tab === "overview" && <Overview bookings={bookings} transactions={transactions} />}
      {tab === "bookings" && <Bookings page={page} bookings={bookings} />}
      {tab === "transactions" && (
        <StatementTab page={page} filter={filter} transactions={transactions} />
      )}
    </>
  );
}

/** The address says which tab and page: a choice can be shared, and works without JavaScript. */
function useTab(): { tab: DashboardTab; page: number; filter: Filter } {
  const query = queryOf(useLocation().search);
  const tab = TABS.find((entry) => entry.tab === query["tab"])?.tab ?? "overview";
  const page = Number(query["page"] ?? "1");
  const whole = Number.isInteger(page) && page >= 1 ? page : 1;
  return {
    tab,
    page: tab === "overview" ? 1 : whole,
    filter: tab === "transactions" ? filterOf(query) : NO_FILTER,
  };
}

/** Balance, bookings and transactions, side by side, each with its own loading and error state. */
function useDashboard(tab: DashboardTab, page: number, filter: Filter, data: DashboardData | null) {
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
  useSeen(bookingsPage === 1 ? bookings.data : null);
  const transactions = useResource<Transactions>({
    key: `transactions ${transactionsPage} ${Object.values(filter).join(" ")}`,
    initial: data?.transactions ?? null,
    initialError: data?.transactions_error ?? null,
    keep: true,
    fallback: messages.transactionsFailed,
    load: (signal) => api.transactions(transactionsPage, size, filter, signal),
    onError: () => showAlert("error", messages.transactionsFailed),
  });
  return { balance, bookings, transactions };
}

/** The newest bookings, kept for the offline page. */
function useSeen(history: History | null) {
  const { now_ms } = useSite();
  useEffect(() => {
    if (history !== null) rememberSeen(history.results, now_ms);
  }, [history, now_ms]);
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
  const t = useWords();
  return (
    <div className="card-figure">
      <dt>{t(label)}</dt>
      <dd>{value ?? "–"}</dd>
    </div>
  );
}

type OverviewProps = { bookings: Resource<History>; transactions: Resource<Transactions> };

function Overview({ bookings, transactions }: OverviewProps) {
  const t = useWords();
  return (
    <div className="columns">
      {bookings.data !== null && bookings.data.count > 0 && (
        <section className="card columns-wide">
          <h2>{t("Last 6 months")}</h2>
          <div className="sparks">
            <Spark
              label="Bookings per month"
              values={bookings.data.months.map(({ month, bookings: count }) => ({
                name: monthName(month),
                value: count,
                words: String(count),
              }))}
            />
            <Spark
              label="Spend per month"
              values={bookings.data.months.map(({ month, amount }) => ({
                name: monthName(month),
                value: amount,
                words: rupees(amount),
              }))}
            />
          </div>
        </section>
      )}
      <section className="card">
        <HeadingRow title="Recent Bookings">
          <a href={tabHref("bookings", 1)}>{t("View all")}</a>
        </HeadingRow>
        <List resource={bookings} empty={<Empty title={messages.noBookings} />}>
          {(history) => <BookingsTableShort rows={history.results.slice(0, DASHBOARD_PAGE_SIZE)} />}
        </List>
      </section>
      <section className="card">
        <HeadingRow title="Recent Transactions">
          <a href={tabHref("transactions", 1)}>{t("View all")}</a>
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
