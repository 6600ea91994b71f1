import type { Notice } from "../wire";
import { useWords, type UiText } from "../words/words";
import { Icon } from "./icon";

export type ShownNotice = { kind: Notice["kind"]; text: UiText };

export type NoticesProps = {
  alert: ShownNotice | null;
  toast: ShownNotice | null;
  /** false before JavaScript runs: a close button would do nothing. */
  closable: boolean;
  clearAlert: () => void;
  clearToast: () => void;
};

/** The alert at the top and the toast below it on the right, announced to screen readers. */
export function Notices({ alert, toast, closable, clearAlert, clearToast }: NoticesProps) {
  return (
    <div className="notices">
      <div className="notice-top" aria-live="assertive">
        <NoticeCard notice={alert} closable={closable} onClose={clearAlert} />
      </div>
      <div className="notice-corner" aria-live="polite">
        <NoticeCard notice={toast} closable={closable} onClose={clearToast} />
      </div>
    </div>
  );
}

type CardProps = { notice: ShownNotice | null; closable: boolean; onClose: () => void };

function NoticeCard({ notice, closable, onClose }: CardProps) {
  const t = useWords();
  if (notice === null) return null;
  return (
    <div className={`notice notice-${notice.kind}`}>
      <Icon name={notice.kind} />
      <p>{t(notice.text)}</p>
      {closable && (
        <button className="notice-close" type="button" aria-label={t("Close")} onClick={onClose}>
          <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <path d="M3 3l10 10M13 3L3 13" />
          </svg>
        </button>
      )}
    </div>
  );
}
