import { rupees } from "../lib/format";
import { InfoBox } from "../parts/feedback";
import { useWords } from "../words/words";

/** The amount that the customer owes us; the next money pays it. */
export function Debt({ owed }: { owed?: number | null | undefined }) {
  const t = useWords();
  if (owed === undefined || owed === null) return null;
  return (
    <InfoBox>
      <p>
        {t("You owe us {amount}. Money that comes into your wallet pays this first.", {
          amount: rupees(owed),
        })}
      </p>
    </InfoBox>
  );
}
