import { Activity } from "../account/activity";
import { ConfirmEmail } from "../account/confirm-email";
import { PasswordForm } from "../account/password-form";
import { ProfileForm } from "../account/profile-form";
import { Sessions } from "../account/sessions";
import { useApi } from "../lib/api";
import { messages } from "../lib/messages";
import { useSession } from "../lib/session";
import { useResource } from "../lib/use-resource";
import { Heading } from "../parts/heading";
import type { AccountData, Activity as Happened, LoggedInAt } from "../wire";
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
  const activity = useResource<Happened[]>({
    key: "activity",
    initial: data?.activity ?? null,
    fallback: messages.unexpected,
    load: async (signal) => (await api.activity(signal)).results,
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
      <PasswordForm form={refused("password")} onChanged={changed} />
      <Sessions sessions={sessions} />
      <Activity activity={activity} />
    </>
  );
}
