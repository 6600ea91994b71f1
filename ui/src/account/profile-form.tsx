import type { ComponentProps } from "react";
import { flushSync } from "react-dom";
import { useAlerts } from "../lib/alerts";
import { useApi } from "../lib/api";
import { useForm } from "../lib/form";
import { OwnerInput, useSession } from "../lib/session";
import { SubmitButton } from "../parts/button";
import { Card } from "../parts/heading";
import { Field, Form } from "../parts/field";
import type { FormState, Identity, ProfileChange, User } from "../wire";
import { ConfirmIdentity } from "./confirm-identity";

type Input = ComponentProps<typeof Field> & {
  name: Exclude<keyof ProfileChange, keyof Identity>;
};

const INPUTS: readonly Input[] = [
  { name: "first_name", label: "First name", autoComplete: "given-name" },
  { name: "last_name", label: "Last name", autoComplete: "family-name" },
  { name: "phone", label: "Phone", type: "tel", autoComplete: "tel", inputMode: "tel" },
  { name: "company_name", label: "Company", autoComplete: "organization", optional: true },
  {
    name: "gstin",
    label: "GSTIN",
    hint: "Printed on your tax invoices; decides CGST + SGST or IGST",
    autoComplete: "off",
    autoCapitalize: "characters",
    spellCheck: "false",
    optional: true,
  },
  { name: "email", label: "Email", type: "email", autoComplete: "email" },
];

/** Name, phone, email address, and the company that invoices are for. */
export function ProfileForm({ user, refused }: { user: User; refused: FormState | null }) {
  const api = useApi();
  const { setUser } = useSession();
  const { showAlert } = useAlerts();
  const { values, submitting, form } = useForm({
    refused,
    send: (values) => api.saveProfile(values),
    throughLogin: true,
    onSent: (answer, _values, inputs) => {
      flushSync(() => setUser(answer.user));
      showAlert("success", answer.message);
      // As it was kept: the password is gone, and the GSTIN written as it should be.
      inputs.reset();
    },
  });
  return (
    <Card title="Profile">
      <Form idPrefix="profile" action="/account" {...form}>
        <OwnerInput />
        <div className="fields">
          {INPUTS.map((input) => (
            <Field
              key={input.name}
              required={input.optional !== true}
              defaultValue={values[input.name] ?? user[input.name]}
              {...input}
            />
          ))}
          <ConfirmIdentity when="Only to change your email address or phone" />
        </div>
        <SubmitButton kind="primary" busy={submitting} label="Save" />
      </Form>
    </Card>
  );
}
