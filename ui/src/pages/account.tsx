import { Activity } from "../account/activity";
import { CloseAccount } from "../account/close-account";
import { ConfirmEmail } from "../account/confirm-email";
import { ConfirmPhone } from "../account/confirm-phone";
import { Letters } from "../account/letters";
import { PasskeysCard } from "../account/passkeys-card";
import { PasswordForm } from "../account/password-form";
import { ProfileForm } from "../account/profile-form";
import { Sessions } from "../account/sessions";
import { TwoStepCard } from "../account/two-step-card";
import { YourData } from "../account/your-data";
import { useApi } from "../lib/api";
import { messages } from "../lib/messages";
import { useSession } from "../lib/session";
import { useResource } from "../lib/use-resource";
import { Heading } from "../parts/heading";
import type { AccountData, Activities, LetterChoices, LoggedInAt } from "../wire";
import { useWords } from "../words/words";

export default function Account({ data }: { data: AccountData | null }) {
  const t = useWords();
  const api = useApi();
  const { user } = useSession();
  const sessions = useResource<LoggedInAt[]>({
    key: "sessions",
    initial: data?.sessions ?? null,
    fallback: messages.sessionsFailed,
    load: async (signal) => (await api.sessions(signal)).results,
  });
  const activity = useResource<Activities>({
    key: "activity",
    initial: data === null ? null : { results: data.activity, agreements: data.agreements },
    fallback: messages.unexpected,
    load: (signal) => api.activity(signal),
  });
  const letters = useResource<LetterChoices>({
    key: "letters",
    initial: data?.letters ?? null,
    fallback: messages.unexpected,
    load: (signal) => api.letters(signal),
  });
  const changed = () => {
    sessions.reload();
    activity.reload();
  };
  const refused = (part: AccountData["part"]) => (data?.part === part ? data.form : null);
  return (
    <>
      <Heading>{t("Your account")}</Heading>
      <ConfirmEmail />
      {user !== null && <ProfileForm user={user} form={refused("profile")} />}
      <ConfirmPhone sent={data?.phone_code_sent ?? false} form={refused("phone")} />
      <PasswordForm form={refused("password")} onChanged={changed} />
      <Letters letters={letters} form={refused("letters")} />
      <TwoStepCard />
      <PasskeysCard />
      <Sessions sessions={sessions} form={refused("sessions")} />
      <Activity activity={{ ...activity, data: activity.data?.results ?? null }} />
      <YourData agreements={activity.data?.agreements ?? []} form={refused("data")} />
      <CloseAccount form={refused("close")} />
    </>
  );
}
