import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { FirstSteps } from "../account/first-steps";
import { Attention } from "../booking/attention";
import { BookingsTable, BookingsTableShort } from "../booking/bookings-table";
import { waitingSentence } from "../booking/waiting-draft";
import { storeSeenBookings } from "../booking/seen-bookings";
import { useAlerts } from "../lib/alerts";
import { useApi } from "../lib/api";
import { useCurrentPage } from "../lib/current-page";
import { count, monthName, rupees, rupeesAbout } from "../lib/format";
import { DASHBOARD_PAGE_SIZE } from "../lib/limits";
import { messages } from "../lib/messages";
import { useSession } from "../lib/session";
import { useResource, type Resource } from "../lib/use-resource";
import { BarChart } from "../parts/bar-chart";
import { ButtonLink } from "../parts/button";
import { Empty, InfoBox } from "../parts/feedback";
import { Card, Heading, HeadingRow } from "../parts/heading";
import { Icon } from "../parts/icon";
import { LoadedList, type LoadedListProps } from "../parts/loaded-list";
import { pageCount, Pager } from "../parts/pager";
import { Refresh } from "../parts/refresh";
import { dashboardHref } from "../screens";
import { Debt } from "../wallet/debt";
import { filterOf, NO_FILTER } from "../wallet/statement-filter";
import { StatementTab } from "../wallet/statement-tab";
import { TransactionsTableShort } from "../wallet/transactions-table";
import type {
  DashboardData,
  DashboardTab,
  History,
  ListedTransaction,
  WaitingDraft,
} from "../wire";
import { useWords } from "../words/words";

/** As tall as the table that is on its way. */
const LINES = DASHBOARD_PAGE_SIZE + 1;

const BOOK = { href: "/courier?new=1", label: "New booking" };
const ADD_MONEY = { href: "/recharge", label: "Add money to your wallet" };

const TABS: readonly { tab: DashboardTab; label: string }[] = [
  { tab: "overview", label: "Overview" },
  { tab: "bookings", label: "Bookings" },
  { tab: "transactions", label: "Transactions" },
];

export default function Dashboard({ data }: { data: DashboardData | null }) {
  const t = useWords();
  const { loading } = useCurrentPage();
  const [query] = useSearchParams();
  const { balance, bookings, transactions } = useDashboard(data);
  // The address says at once which tab was chosen; what it shows is that of the last answer.
  const chosenTab = TABS.find((entry) => entry.tab === query.get("tab"))?.tab ?? "overview";
  const { tab, page } = data ?? { tab: chosenTab, page: 1 };
  return (
    <>
      <div className="heading-row">
        <Heading>{t("Dashboard")}</Heading>
        <a className="button button-primary" href={BOOK.href}>
          <Icon name="courier" />
          {t(BOOK.label)}
        </a>
      </div>
      <OverviewFigures balance={balance} history={bookings} />
      <Debt owed={data?.owed} />
      <nav className="tabs" aria-label={t("Dashboard")}>
        {TABS.map((entry) => (
          <a
            key={entry.tab}
            href={dashboardHref(entry.tab, 1)}
            aria-current={entry.tab === chosenTab ? "page" : undefined}
          >
            {t(entry.label)}
          </a>
        ))}
      </nav>
      <div className="stack" aria-busy={loading}>
        {tab === "overview" && (
          <Overview
            balance={balance.data}
            draft={data?.draft ?? null}
            {...{ bookings, transactions }}
          />
        )}
        {tab === "bookings" && <Bookings page={page} bookings={bookings} />}
        {tab === "transactions" && (
          <StatementTab page={page} filter={filterOf(query)} transactions={transactions} />
        )}
      </div>
    </>
  );
}

/**
 * Balance, bookings and transactions, each with its own loading and error state. They come with the
 * page; where the server could not load them they are fetched side by side.
 */
function useDashboard(data: DashboardData | null) {
  const api = useApi();
  const { showAlert } = useAlerts();
  const session = useSession();
  const [query] = useSearchParams();
  const pageOf = (tab: DashboardTab) => (data?.tab === tab ? data.page : 1);

  const [whole, setWhole] = useState(data !== null);
  // The sections say what each of them lacks; the first load is told of as one.
  const told = (fallback: string) => ({
    fallback,
    onError: () => showAlert("error", whole ? fallback : "Failed to load dashboard data"),
  });

  const balance = useResource<number>({
    pageData: data?.balance ?? null,
    ...told("Failed to load dashboard data"),
    load: async (signal) => {
      const answer = await api.balance(signal);
      if (session.user !== null) session.setUser({ ...session.user, balance: answer.balance });
      return answer.balance;
    },
  });
  const bookings = useResource<History>({
    pageData: data?.bookings ?? null,
    ...told(messages.bookingsFailed),
    load: (signal) => api.history(pageOf("bookings"), DASHBOARD_PAGE_SIZE, signal),
  });
  useSeen(pageOf("bookings") === 1 ? bookings.data : null);
  const transactions = useResource<ListedTransaction>({
    pageData: data?.transactions ?? null,
    sentError: data?.transactions_error ?? null,
    ...told("Failed to load transactions"),
    load: (signal) => {
      const filter = data?.tab === "transactions" ? filterOf(query) : NO_FILTER;
      return api.transactions(pageOf("transactions"), DASHBOARD_PAGE_SIZE, filter, signal);
    },
  });
  const loading = balance.loading || bookings.loading || transactions.loading;
  if (!whole && !loading) setWhole(true);
  return { balance, bookings, transactions };
}

/** The newest bookings, kept for the offline page. */
function useSeen(history: History | null) {
  useEffect(() => {
    const now_ms = Math.round(performance.timeOrigin + performance.now());
    if (history !== null) storeSeenBookings(history.results, now_ms);
  }, [history]);
}

type FiguresProps = { balance: Resource<number>; history: Resource<History> };

function OverviewFigures({ balance, history }: FiguresProps) {
  const stats = history.data?.stats;
  return (
    <dl className="key-figures">
      <Figure label="Total Bookings" value={stats && count(stats.total)} />
      <Figure
        label="Wallet Balance"
        value={balance.data === null ? undefined : rupees(balance.data)}
      />
      <Figure label="Pending" value={stats && count(stats.pending)} />
      <Figure label="Delivered" value={stats && count(stats.delivered)} />
    </dl>
  );
}

function Figure({ label, value }: { label: string; value: string | undefined }) {
  const t = useWords();
  return (
    <div className="key-figure">
      <dt>{t(label)}</dt>
      <dd translate="no">{value ?? "–"}</dd>
    </div>
  );
}

const bar = (month: string, value: number, words = String(value), short = words) => ({
  name: monthName(month),
  value,
  words,
  short,
});

type OverviewProps = {
  balance: number | null;
  /** A booking that was begun. */
  draft: WaitingDraft | null;
  bookings: Resource<History>;
  transactions: Resource<ListedTransaction>;
};

function Overview({ balance, draft, bookings, transactions }: OverviewProps) {
  const t = useWords();
  const { user } = useSession();
  const unconfirmed = user?.email === "" || Boolean(user?.unconfirmed_email);
  const { stats, months = [] } = bookings.data ?? {};
  // One month alone is no picture: the figures above say as much.
  const hasSeveralMonths = months.filter(({ bookings }) => bookings > 0).length >= 2;
  return (
    <div className="stack">
      {draft !== null && (
        <InfoBox>
          <p>{t(waitingSentence(draft))}</p>
          <ButtonLink href="/courier" label="Continue" />
        </InfoBox>
      )}
      {stats?.total === 0 && (
        <FirstSteps confirmed={!unconfirmed} funded={balance !== null && balance > 0} />
      )}
      {stats !== undefined && stats.total > 0 && (
        <Attention stats={stats} balance={balance} unconfirmed={unconfirmed} />
      )}
      {hasSeveralMonths && (
        <Card title="Last 6 months">
          <div className="bar-charts">
            <BarChart
              label="Bookings per month"
              values={months.map(({ month, bookings }) => bar(month, bookings))}
            />
            <BarChart
              label="Spend per month"
              values={months.map(({ month, amount }) =>
                bar(month, amount, rupees(amount), rupeesAbout(amount)),
              )}
            />
          </div>
        </Card>
      )}
      <Recent
        title="Recent Bookings"
        tab="bookings"
        resource={bookings}
        empty={<Empty title="No bookings found" next={BOOK} />}
      >
        {({ results }) => <BookingsTableShort rows={results.slice(0, DASHBOARD_PAGE_SIZE)} />}
      </Recent>
      <Recent
        title="Recent Transactions"
        tab="transactions"
        resource={transactions}
        empty={<Empty title={messages.noTransactions} next={ADD_MONEY} />}
      >
        {({ results }) => <TransactionsTableShort rows={results.slice(0, DASHBOARD_PAGE_SIZE)} />}
      </Recent>
    </div>
  );
}

type RecentProps<T> = Omit<LoadedListProps<T>, "lines"> & { title: string; tab: DashboardTab };

function Recent<T>({ title, tab, ...list }: RecentProps<T>) {
  const t = useWords();
  return (
    <section className="card">
      <HeadingRow title={title}>
        <a href={dashboardHref(tab, 1)}>{t("View all")}</a>
      </HeadingRow>
      <LoadedList lines={LINES} {...list} />
    </section>
  );
}

function Bookings({ page, bookings }: { page: number; bookings: Resource<History> }) {
  const t = useWords();
  return (
    <section className="card">
      <HeadingRow title="Bookings">
        <Refresh
          action="/dashboard"
          query={{ tab: "bookings", page: String(page) }}
          loading={bookings.loading}
          onRefresh={bookings.reload}
        />
        <a href="/bookings">{t("Search and filter")}</a>
      </HeadingRow>
      <LoadedList
        resource={bookings}
        lines={LINES}
        empty={
          <Empty
            title="No bookings found"
            hint="Your courier bookings will appear here once you create them"
            next={BOOK}
          />
        }
      >
        {(history) => <BookingsTable rows={history.results} />}
      </LoadedList>
      <Pager
        page={page}
        pages={pageCount(bookings.data?.count ?? 0, DASHBOARD_PAGE_SIZE)}
        label="Pages of bookings"
        href={(to) => dashboardHref("bookings", to)}
      />
    </section>
  );
}
