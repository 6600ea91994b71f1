import { ErrorSummary } from "../src/parts/error-summary";
import { Empty, ErrorBox, InfoBox, WarningBox } from "../src/parts/feedback";
import { InboxHint } from "../src/parts/inbox-hint";
import { LoadFailed } from "../src/parts/load-failed";
import { Pager } from "../src/parts/pager";
import { Progress } from "../src/parts/progress";
import { ShareLink } from "../src/parts/share-link";
import { Skeleton } from "../src/parts/skeleton";
import { Spinner } from "../src/parts/spinner";
import { Stepper } from "../src/parts/stepper";
import { useWords } from "../src/words/words";
import { Parts } from "./gallery";

const nothing = () => undefined;

const WRONG = [
  { path: "consignee_name", message: "This field is required." },
  { path: "consigner_email", message: "Please enter a valid email address." },
];

/** Boxes that tell the outcome, and lists without content. */
export function FeedbackParts() {
  const t = useWords();
  return (
    <Parts title="Boxes, empty lists, failed lists">
      <ErrorBox>{t("Network error. Please check your connection.")}</ErrorBox>
      <ErrorSummary
        idPrefix="parts"
        message=""
        errors={WRONG}
        labels={{ consignee_name: "Consignee Name", consigner_email: "Email" }}
        blank={{
          beside: "This field is required.",
          sentence: "Please fill in the following required fields: {names}",
        }}
      />
      <WarningBox>{t("Insufficient balance. Please recharge your wallet first.")}</WarningBox>
      <InfoBox>{t("*Final rate may vary based on actual weight and dimensions")}</InfoBox>
      <InboxHint url="/inbox" />
      <div className="actions">
        <ShareLink path="/track/DK1" awb="DK1" status="Booked" label="Send tracking on WhatsApp" />
      </div>
      <Empty
        title="No bookings found"
        hint="Your courier bookings will appear here once you create them"
        next={{ href: "/courier", label: "New booking" }}
      />
      <Empty title="No transactions found" />
      <LoadFailed
        resource={{ error: "Failed to load bookings", loading: false, reload: nothing }}
      />
      <LoadFailed resource={{ error: "Failed to load bookings", loading: true, reload: nothing }} />
    </Parts>
  );
}

const STEPS = [
  "Calculate Rate & Select Service",
  "Enter Booking Details",
  "Review & Confirm",
  "Booking Successful",
];

/** Parts that tell the place in a list, or that something takes a while. */
export function MovingParts() {
  return (
    <Parts title="Loading, steps, progress, pages">
      <div className="actions">
        <Spinner />
      </div>
      <Skeleton lines={3} label="Loading" />
      <Stepper step={2} titles={STEPS} short="Details" />
      {["booked", "in_transit", "delivered"].map((status) => (
        <Progress key={status} status={status} />
      ))}
      <Pager page={1} pages={1} label="Pages of bookings" href={pageOf} />
      <Pager page={6} pages={12} label="Pages of transactions" href={pageOf} />
    </Parts>
  );
}

const pageOf = (page: number) => `/dashboard?page=${page}`;
