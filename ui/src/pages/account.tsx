import { PasswordForm } from "../account/password-form";
import { ProfileForm } from "../account/profile-form";
import { Sessions } from "../account/sessions";
import { useApi } from "../api/context";
import { messages } from "../messages";
import type { AccountData, LoggedInAt } from "../page";
import { Heading } from "../parts/heading";
import { useSession } from "../session";
import { useResource } from "../use-resource";
import { useWords } from "../words/words";

export function Account({ data }: { data: AccountData | null }) {
  const t = useWords();
  const api = useApi();
  const { user } = useSession();
  const sessions = useResource<LoggedInAt[]>({
    key: "sessions",
    initial: data?.sessions ?? null,
    fallback: messages.sessionsFailed,
    load: async (signal) => (await api.sessions(signal)).results,
  });
  const refused = (part: AccountData["part"]) => (data?.part === part ? data.form : null);
  return (
    <>
      <Heading>{t("Your account")}</Heading>
      {user !== null && <ProfileForm user={user} form={refused("profile")} />}
      <PasswordForm form={refused("password")} onChanged={sessions.reload} />
      <Sessions sessions={sessions} />
    </>
  );
}
