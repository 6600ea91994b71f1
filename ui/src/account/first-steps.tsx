import { Card } from "../parts/heading";
import { Icon } from "../parts/icon";
import { useWords } from "../words/words";

type Props = { confirmed: boolean; funded: boolean };

export function FirstSteps({ confirmed, funded }: Props) {
  const t = useWords();
  const steps = [
    { isDone: true, href: "/account", label: "Open an account" },
    { isDone: confirmed, href: "/account", label: "Confirm your email" },
    { isDone: funded, href: "/recharge", label: "Add money to your wallet" },
    { isDone: false, href: "/courier", label: "Book your first courier" },
  ];
  return (
    <Card title="First steps">
      <ol className="to-do">
        {steps.map(({ isDone, href, label }) => (
          <li key={label} className={isDone ? "to-do-done" : undefined}>
            {isDone ? <Icon name="success" /> : <Icon name="to-do" />}
            {isDone ? t(label) : <a href={href}>{t(label)}</a>}
            {isDone && <span className="visually-hidden"> {t("(done)")}</span>}
          </li>
        ))}
      </ol>
    </Card>
  );
}
