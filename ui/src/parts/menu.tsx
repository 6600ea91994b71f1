import { useEffect, useRef, type ReactNode } from "react";
import { listen } from "../lib/listen";

type Props = { label: ReactNode; children: ReactNode };

/**
 * Opens below its own label: a `details`, so that it works without JavaScript. With it the
 * menu closes by Escape, by a press elsewhere and by whatever is chosen from it.
 */
export function Menu({ label, children }: Props) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      const { current } = menu;
      if (current === null || !current.open) return;
      const target = event.target as Element | null;
      const inside = target !== null && current.contains(target);
      if (event instanceof KeyboardEvent) {
        if (event.key !== "Escape") return;
        if (inside) current.querySelector("summary")?.focus();
      } else if (inside && target.closest("a") === null) return;
      current.open = false;
    };
    return listen(document, { click: close, keydown: close });
  }, []);
  return (
    <details className="menu" ref={menu}>
      <summary>{label}</summary>
      <div className="menu-list">{children}</div>
    </details>
  );
}
