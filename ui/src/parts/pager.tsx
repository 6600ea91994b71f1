import { PAGER_AROUND, PAGER_MARGIN } from "../lib/limits";
import { useWords } from "../words/words";

/** A page number, or the gap between two runs of them. */
type PagerItem = number | "gap";

/**
 * The page links to show: the margins, the pages around the current one, and gaps between. A gap
 * of a single page is that page, since the dots would take the same room.
 */
export function pagerItems(page: number, pages: number): PagerItem[] {
  const numbers = new Set<number>();
  for (let n = 1; n <= pages; n++) {
    const margin = n <= PAGER_MARGIN || n > pages - PAGER_MARGIN;
    if (margin || Math.abs(n - page) <= PAGER_AROUND) numbers.add(n);
  }
  const items: PagerItem[] = [];
  let last = 0;
  for (const n of numbers) {
    if (n - last === 2) items.push(n - 1);
    else if (n - last > 2) items.push("gap");
    items.push(n);
    last = n;
  }
  return items;
}

/** The number of pages of a list of `count` rows: one even when it is empty. */
export function pageCount(count: number, size: number): number {
  return Math.max(1, Math.ceil(count / size));
}

type Props = {
  page: number;
  pages: number;
  /** Names the list for screen readers. */
  label: string;
  href: (page: number) => string;
};

/** Real links, so that paging works without JavaScript and a page can be shared. */
export function Pager({ page, pages, label, href }: Props) {
  const t = useWords();
  return (
    <nav className="pager" aria-label={t(label)}>
      <p className="pager-text">{t("Page {page} of {pages}", { page, pages })}</p>
      {pages > 1 && (
        <>
          {pagerLink(t("Previous"), "previous", page > 1 ? href(page - 1) : null)}
          <ul>
            {pagerItems(page, pages).map((item, index) =>
              item === "gap" ? (
                <li key={`gap-${index}`} className="pager-gap" aria-hidden="true">
                  …
                </li>
              ) : (
                <li key={item}>
                  <a
                    className="pager-link"
                    href={href(item)}
                    aria-label={t("Page {page}", { page: item })}
                    aria-current={item === page ? "page" : undefined}
                  >
                    {item}
                  </a>
                </li>
              ),
            )}
          </ul>
          {pagerLink(t("Next"), "next", page < pages ? href(page + 1) : null)}
        </>
      )}
    </nav>
  );
}

function pagerLink(label: string, side: "previous" | "next", to: string | null) {
  return to === null ? (
    <span className={`pager-link pager-disabled pager-${side}`}>{label}</span>
  ) : (
    <a className={`pager-link pager-${side}`} href={to}>
      {label}
    </a>
  );
}
