import { Card } from "../parts/heading";
import { Icon } from "../parts/icon";
import { useWords } from "../words/words";

type Props = { confirmed: boolean; funded: boolean };

export function FirstSteps({ confirmed, funded }: Props) {
  const t = useWords();
  const steps = [
    { done: true, href: "/account", says: "Open an account" },
    { done: confirmed, href: "/account", says: "Confirm your e-mail" },
    { done: funded, href: "/recharge", says: "Add money to your wallet" },
    { done: false, href: "/courier", says: "Book your first courier" },
  ];
  return (
    <Card title="First steps">
      <ol className="to-do">
        {steps.map(({ done, href, says }) => (
          <li key={says} className={done ? "to-do-done" : undefined}>
            {done ? <Icon name="success" /> : <Icon name="to-do" />}
            {done ? t(says) : <a href={href}>{t(says)}</a>}
            {done && <span className="visually-hidden"> {t("(done)")}</span>}
          </li>
        ))}
      </ol>
    </Card>
  );
}
