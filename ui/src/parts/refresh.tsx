import { preventDefault } from "../lib/prevent-default";
import { SubmitButton } from "./button";
import { HiddenInputs } from "./field";

type Props = {
  /** The page's own address, and what it was asked with. */
  action: string;
  query: Readonly<Record<string, string>>;
  loading: boolean;
  onRefresh: () => void;
};

/** A form, so that it asks the server anew even without JavaScript. */
export function Refresh({ action, query, loading, onRefresh }: Props) {
  const values = Object.entries(query).filter(([, value]) => value !== "");
  return (
    <form method="get" action={action} onSubmit={preventDefault(onRefresh)}>
      <HiddenInputs values={Object.fromEntries(values)} />
      <SubmitButton busy={loading} label="Refresh" />
    </form>
  );
}
