import { dateTime } from "../lib/format";
import type { Resource } from "../lib/use-resource";
import { LoadFailed } from "../parts/load-failed";
import { Skeleton } from "../parts/skeleton";
import { Table } from "../parts/table";
import type { Activity as Happened } from "../wire";
import { useWords } from "../words/words";

/** What happened to the account, the newest first: whoever steals it leaves a line here. */
export function Activity({ activity }: { activity: Resource<Happened[]> }) {
  const t = useWords();
  const { data, error } = activity;
  return (
    <section className="card">
      <h2>{t("Recent activity")}</h2>
      <LoadFailed resource={activity} />
      {data === null && error === null && <Skeleton lines={4} label="Loading" />}
      {data !== null && (
        <Table
          caption="Recent activity"
          columns={[
            { label: "When", cell: ({ at }) => t(dateTime(at)) },
            { label: "What", cell: ({ text }) => t(text) },
            { label: "Where", cell: ({ device }) => t(device) },
            { label: "Network address", cell: ({ address }) => address },
          ]}
          rows={data.map((it, index) => ({ ...it, key: `${it.at} ${index}` }))}
          rowKey={({ key }) => key}
        />
      )}
      <p className="quiet">
        {t("Was something here not you? Change your password and write to us.")}
      </p>
    </section>
  );
}
