/**
 * Limits and timers of the browser alone; those of the server stand in `wire.ts`. Milliseconds end
 * in _MS. Timers that customers see, page sizes and minimums are promised by the product; the
 * journeys in ui/e2e hold them.
 */

export const REQUEST_TIMEOUT_MS = 30_000;
/** An upload of which nothing arrives for this long is given up; a slow one goes on. */
export const UPLOAD_SILENCE_MS = 30_000;
/** From the end of an upload to its answer: the server draws two PDFs, 45 s for each. */
export const UPLOAD_ANSWER_MS = 120_000;
export const ALERT_CLEARS_MS = 5_000;
export const TRACKING_ERROR_CLEARS_MS = 5_000;
export const PENDING_PAYMENT_RECHECK_MS = 5_000;
/** The recharge page's waits before each of its questions; the last one repeats. */
export const PENDING_LIST_RECHECK_MS = [5_000, 5_000, 5_000, 10_000, 10_000, 10_000, 30_000];
/** A button that leads away is let go after this time if the page is still there. */
export const LEAVING_MS_MAX = 8_000;
export const PAYMENT_SUCCESS_REDIRECT_MS = 3_000;
export const FORCE_LOGOUT_GUARD_MS = 1_000;
export const FORCE_LOGOUT_REDIRECT_MS = 150;

export const DASHBOARD_PAGE_SIZE = 5;

/** Page links that the pager keeps at both ends, and on either side of the current page. */
export const PAGER_MARGIN = 1;
export const PAGER_AROUND = 2;

/** A page that works waits this long before it fetches what may be needed next. */
export const PREPARE_AFTER_MS = 3_000;

/** Pages kept in memory for going back to them. */
export const PAGES_KEPT_MAX = 20;

/** The offline page's wait before it asks again whether Dakiya can be reached. */
export const OFFLINE_RECHECK_MS = 5_000;
/** Bookings that the offline page shows. */
export const SEEN_BOOKINGS_MAX = 20;

export const PINCODE_DIGITS = 6;

/** Below it a wallet does not pay for most parcels (rupees). */
export const LOW_BALANCE = 100;

/** The policies promise these days; those to cancel are the server's. */
export const DAMAGE_REPORT_DAYS_MAX = 15;
export const REFUND_DAYS_MAX = 30;
export const SHIPPED_DAYS_MAX = 60;

/** Rupees. */
export const RECHARGE_AMOUNTS = [500, 1000, 5000, 10000] as const;

/** Country id under which Indian PIN codes are checked. */
export const INDIA_COUNTRY_ID = 97;

export const PIECES_MIN = 1;
/** One side of a piece (centimetres). */
export const SIDE_CM_MIN = 1;

/** The longer side of a photo that was shrunk on the device: still good to read (pixels). */
export const KYC_PHOTO_SIDE_PX = 2_400;

/** A confirmation's questions for its courier's answer; the server waits each time. */
export const CONFIRM_QUESTIONS_MAX = 6;

/** A pause in typing of this length sends the wizard's draft to the server. */
export const SAVE_PAUSE_MS = 1_000;
/** The wizard's wait before it sends again what could not be sent. */
export const SAVE_RETRY_MS = 5_000;
/** A page that is left is gone by then, or its customer has stayed. */
export const LEAVE_MS_MAX = 60_000;
/** The wizard's wait before it looks again for the answer to another page's confirmation. */
export const PENDING_BOOKING_RECHECK_MS = 3_000;
