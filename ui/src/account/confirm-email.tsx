import { useSession } from "../lib/session";
import { SubmitButton } from "../parts/button";
import { InfoBox } from "../parts/feedback";
import { Icon } from "../parts/icon";
import { useWords } from "../words/words";

/** Asks for the link to be opened that was sent to an address, or for an address. */
export function ConfirmEmail() {
  const t = useWords();
  const { user } = useSession();
  const email = user?.unconfirmed_email;
  if (email === undefined || email === null) {
    return user?.email === "" ? (
      <InfoBox>
        <p>
          {t("Your account has no email address, as yours was not confirmed. Enter one below.")}
        </p>
      </InfoBox>
    ) : null;
  }
  return (
    <form className="box box-info" method="post" action="/account/email/send">
      <Icon name="info" />
      <p>{t("Confirm your email: open the link that we sent to {email}.", { email })}</p>
      <SubmitButton label="Send again" />
    </form>
  );
}
