import { dateTime } from "../lib/format";
import { Card } from "../parts/heading";
import { Table } from "../parts/table";
import type { Activity as Happened } from "../wire";
import { useWords } from "../words/words";

/** Events of the account, the newest first, so that a thief leaves a line. */
export function Activity({ activity }: { activity: readonly Happened[] }) {
  const t = useWords();
  return (
    <Card title="Recent activity" id="activity">
      <Table
        caption="Recent activity"
        columns={[
          { label: "When", at: "note", cell: ({ at }) => t(dateTime(at)) },
          { label: "What", at: "lead", cell: ({ text }) => t(text) },
          { label: "Where", at: "note", cell: ({ device }) => t(device) },
          { label: "Network address", at: "note", cell: ({ address }) => address },
        ]}
        rows={activity.map((event, index) => ({ ...event, key: `${event.at} ${index}` }))}
        rowKey={({ key }) => key}
      />
      <p className="quiet">{t("Not you? Change your password and write to us.")}</p>
    </Card>
  );
}
