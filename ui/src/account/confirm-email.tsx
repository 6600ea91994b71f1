import { useSession } from "../lib/session";
import { SubmitButton } from "../parts/button";
import { Icon } from "../parts/icon";
import { useWords } from "../words/words";

/** Asks for the link to be opened that was sent to an address, as long as it was not. */
export function ConfirmEmail() {
  const t = useWords();
  const email = useSession().user?.unconfirmed_email;
  if (email === undefined || email === null) return null;
  return (
    <form className="box box-info" method="post" action="/account/email/send">
      <Icon name="info" />
      <p>{t("Confirm your email: open the link that we sent to {email}.", { email })}</p>
      <SubmitButton label="Send again" />
    </form>
  );
}
