import type { ComponentProps } from "react";
import type { FieldError, FormState } from "../wire";
import { useWords } from "../words/words";
import { ErrorBox } from "./feedback";
import { FormContext } from "./field";

type Props = ComponentProps<"form"> & {
  /** Begins the ids of its fields, which are the same on server and browser. */
  idPrefix: string;
  action: string;
  /** The server's refusal of the plain form. */
  refused?: FormState | null;
  /** Shown at the fields that they name. */
  errors?: readonly FieldError[] | undefined;
  /** Shown above the fields; "" for nothing. */
  message?: string | undefined;
};

const NONE: readonly FieldError[] = [];

/** A form that posts, also without a script, unless another method is given. */
export function Form({ idPrefix, action, refused, children, ...props }: Props) {
  const t = useWords();
  const { errors = refused?.errors ?? NONE, message = refused?.message ?? "", ...rest } = props;
  return (
    <form className="form" method="post" action={action} {...rest}>
      {message !== "" && <ErrorBox>{t(message)}</ErrorBox>}
      <FormContext value={{ idPrefix, errors }}>{children}</FormContext>
    </form>
  );
}
