import { codeInWords, date, dateTime } from "../lib/format";
import type { TrackingEvent } from "../wire";
import { useWords } from "../words/words";

/** A shipment's events, the newest first. */
export function Timeline({ events }: { events: readonly TrackingEvent[] }) {
  return (
    <ol className="timeline">
      {events.map((event, index) => (
        <TimelineEvent key={`${event.date}-${index}`} event={event} />
      ))}
    </ol>
  );
}

function TimelineEvent({ event }: { event: TrackingEvent }) {
  const t = useWords();
  const { status, remarks, comments, update_location: place } = event;
  const adds = remarks !== "" && remarks.toLowerCase() !== status.toLowerCase();
  return (
    <li>
      <p className="timeline-status">{t(codeInWords(status))}</p>
      <p className="timeline-when">{t((event.day_only ? date : dateTime)(event.date))}</p>
      {place && <p>{place}</p>}
      {adds && <p>{t(remarks)}</p>}
      {comments && <p className="timeline-comment">{comments}</p>}
    </li>
  );
}
