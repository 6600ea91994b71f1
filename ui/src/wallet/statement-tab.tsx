import { DASHBOARD_PAGE_SIZE } from "../lib/limits";
import { messages } from "../lib/messages";
import { isFiltered, searchOf } from "../lib/query";
import type { Resource } from "../lib/use-resource";
import { ButtonLink, SubmitButton } from "../parts/button";
import { Empty } from "../parts/feedback";
import { Field, Form, SelectField } from "../parts/field";
import { HeadingRow } from "../parts/heading";
import { LoadedList } from "../parts/loaded-list";
import { pageCount, Pager } from "../parts/pager";
import { Refresh } from "../parts/refresh";
import { dashboardHref } from "../screens";
import { STATEMENT_LINES_MAX, type ListedTransaction } from "../wire";
import { useWords } from "../words/words";
import { KINDS, type Filter } from "./statement-filter";
import { TransactionsTable } from "./transactions-table";

type Props = { page: number; filter: Filter; transactions: Resource<ListedTransaction> };

/** The dashboard's third tab: wallet transactions by period and type, to read or to download. */
export function StatementTab({ page, filter, transactions }: Props) {
  const count = transactions.data?.count ?? 0;
  const hint = isFiltered(filter)
    ? "Nothing in this period and of this type. Change them to see more."
    : "Your wallet transactions will appear here";
  return (
    <section className="card">
      <HeadingRow title="Transactions">
        <Refresh
          action="/dashboard"
          query={{ tab: "transactions", page: String(page), ...filter }}
          loading={transactions.loading}
          onRefresh={transactions.reload}
        />
      </HeadingRow>
      <FilterForm key={Object.values(filter).join(" ")} filter={filter} />
      <LoadedList
        resource={transactions}
        lines={DASHBOARD_PAGE_SIZE + 1}
        empty={<Empty title={messages.noTransactions} hint={hint} />}
      >
        {(list) => <TransactionsTable rows={list.results} />}
      </LoadedList>
      <Pager
        page={page}
        pages={pageCount(count, DASHBOARD_PAGE_SIZE)}
        label="Pages of transactions"
        href={(to) => dashboardHref("transactions", to, filter)}
      />
      {count > 0 && <Downloads count={count} filter={filter} />}
    </section>
  );
}

/** A plain form: it works before JavaScript arrives, and its address can be shared. */
function FilterForm({ filter }: { filter: Filter }) {
  return (
    <Form idPrefix="filter" className="filter" method="get" action="/dashboard">
      <input type="hidden" name="tab" value="transactions" />
      <Field name="from" label="From date" type="date" defaultValue={filter.from} short />
      <Field name="to" label="To date" type="date" defaultValue={filter.to} short />
      <SelectField name="type" label="Type" choices={KINDS} defaultValue={filter.type} short />
      <div className="actions">
        <SubmitButton label="Show" />
        {isFiltered(filter) && (
          <ButtonLink kind="quiet" href={dashboardHref("transactions", 1)} label="Show all" />
        )}
      </div>
    </Form>
  );
}

/** The list as a file, unless it is too long to be made. */
function Downloads({ count, filter }: { count: number; filter: Filter }) {
  const t = useWords();
  if (count > STATEMENT_LINES_MAX) {
    return (
      <p className="quiet">
        {t("To download a statement, choose a period of at most 10,000 transactions.")}
      </p>
    );
  }
  const search = searchOf(filter);
  return (
    <div className="actions">
      <ButtonLink href={`/wallet/statement.csv${search}`} download label="Download CSV" />
      <ButtonLink href={`/wallet/statement.pdf${search}`} download label="Download PDF" />
    </div>
  );
}
