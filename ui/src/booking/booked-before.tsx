import { Button, ButtonLink } from "../parts/button";
import { useWords } from "../words/words";
import { ActionNote } from "./action-bar";
import { bookingHref } from "./papers";
import type { BookedBefore } from "./use-confirm";

type Props = { booked: BookedBefore; onNew: () => void };

/** Another window or device has booked this draft: nothing was charged here. */
export function BookedBeforeNote({ booked, onNew }: Props) {
  const t = useWords();
  return (
    <ActionNote>
      <p>{t(booked.text)}</p>
      <div className="actions">
        <ButtonLink href={bookingHref(booked.bookingId)} label="View booking" />
        <Button onClick={onNew}>{t("Book another")}</Button>
      </div>
    </ActionNote>
  );
}
