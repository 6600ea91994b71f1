import { Activity } from "../account/activity";
import { CloseAccount } from "../account/close-account";
import { ConfirmEmail } from "../account/confirm-email";
import { ConfirmPhone } from "../account/confirm-phone";
import { Letters } from "../account/letters";
import { PasswordForm } from "../account/password-form";
import { ProfileForm } from "../account/profile-form";
import { Sessions } from "../account/sessions";
import { PasskeysCard, TwoStepCard } from "../account/sign-in-cards";
import { YourData } from "../account/your-data";
import { useCurrentPage } from "../lib/current-page";
import { useSession } from "../lib/session";
import { Heading } from "../parts/heading";
import type { AccountData } from "../wire";
import { useWords } from "../words/words";

/** Parts that are below the first screen. */
const PARTS = [
  { id: "password", title: "Password" },
  { id: "letters", title: "Email notifications" },
  { id: "two-step", title: "Two-step login" },
  { id: "sessions", title: "Where you are logged in" },
  { id: "activity", title: "Recent activity" },
  { id: "data", title: "Your data" },
  { id: "close", title: "Close your account" },
] as const;

export default function Account({ data }: { data: AccountData }) {
  const t = useWords();
  const { reload } = useCurrentPage();
  const { user } = useSession();
  const refused = (part: AccountData["part"]) => (data.part === part ? data.form : null);
  return (
    <>
      <Heading>{t("Your account")}</Heading>
      <nav aria-label={t("Your account")} className="cell-parts side-note">
        {PARTS.map(({ id, title }) => (
          <a key={id} href={`#${id}`}>
            {t(title)}
          </a>
        ))}
      </nav>
      <ConfirmEmail />
      {user !== null && <ProfileForm user={user} refused={refused("profile")} />}
      <ConfirmPhone isCodeSent={data.phone_code_sent} form={refused("phone")} />
      <PasswordForm refused={refused("password")} onChanged={reload} />
      <Letters choices={data.letters} language={data.letter_language} form={refused("letters")} />
      <TwoStepCard />
      <PasskeysCard />
      <Sessions sessions={data.sessions} refused={refused("sessions")} onEnded={reload} />
      <Activity activity={data.activity} />
      <YourData agreements={data.agreements} form={refused("data")} />
      <CloseAccount form={refused("close")} />
    </>
  );
}
