import { Button } from "../src/parts/button";
import { Combobox } from "../src/parts/combobox";
import { CheckField, Field, FormContext, SelectField } from "../src/parts/field";
import { HeadingRow } from "../src/parts/heading";
import { Icon } from "../src/parts/icon";
import { Menu } from "../src/parts/menu";
import { Refresh } from "../src/parts/refresh";
import { Fold, Section } from "../src/parts/section";
import { useWords } from "../src/words/words";
import { Parts } from "./gallery";

const nothing = () => undefined;

const FORM = { idPrefix: "parts", errors: [] };

const KINDS = ["primary", "plain", "quiet"] as const;

/** Buttons and links. */
export function ActionParts() {
  const t = useWords();
  return (
    <Parts title="Buttons, links, menu, tabs">
      {KINDS.map((kind) => (
        <div className="actions" key={kind}>
          <Button kind={kind}>{t("Calculate Rate")}</Button>
          <Button kind={kind} busy>
            {t("Calculating...")}
          </Button>
          <Button kind={kind} disabled>
            {t("Calculate Rate")}
          </Button>
        </div>
      ))}
      <Button kind="primary" wide>
        {t("Log In")}
      </Button>
      <div className="actions">
        <a className="button button-primary" href="/courier">
          <Icon name="courier" />
          {t("New booking")}
        </a>
        <Refresh action="/dashboard" query={{}} loading={false} onRefresh={nothing} />
      </div>
      <Menu label={t("Download")}>
        <ul>
          <li>
            <a href="/bookings">{t("All bookings")}</a>
          </li>
        </ul>
      </Menu>
      <nav className="tabs" aria-label={t("Dashboard")}>
        {["Overview", "Bookings", "Transactions"].map((label, index) => (
          <a key={label} href="/dashboard" aria-current={index === 0 ? "page" : undefined}>
            {t(label)}
          </a>
        ))}
      </nav>
      <HeadingRow title="Recent Bookings">
        <a href="/bookings">{t("View all")}</a>
      </HeadingRow>
    </Parts>
  );
}

/** Fields to type into. */
export function FieldParts() {
  return (
    <Parts title="Fields">
      <FormContext value={FORM}>
        <Field name="plain" label="Username" hint="Or your email address" />
        <Field name="filled" label="First name" defaultValue="Asha" />
        <Field name="optional" label="Company name" optional />
        <Field
          name="wrong"
          label="Email"
          type="email"
          defaultValue="asha"
          error="Please enter a valid email address."
        />
        <Field name="disabled" label="Username" defaultValue="asha" disabled />
        <Field name="fixed" label="City" defaultValue="New Delhi" readOnly />
        <Field name="secret" label="Password" type="password" defaultValue="secret" />
        <div className="fields fields-mixed">
          <Field name="weight" label="Weight (kg)" short defaultValue="2.5" />
          <Field name="pieces" label="Quantity" short defaultValue="1" />
        </div>
        <Field name="day" label="Invoice Date" type="date" defaultValue="2026-11-25" />
      </FormContext>
    </Parts>
  );
}

const SHIPMENTS = [
  { value: "1", label: "Parcel" },
  { value: "2", label: "Document" },
];

const COUNTRIES = [
  { key: "US", value: "US", label: "United States" },
  { key: "AE", value: "AE", label: "United Arab Emirates" },
];

/** Choices, and parts that fold away. */
export function ChoiceParts() {
  return (
    <Parts title="Choices and folding sections">
      <FormContext value={FORM}>
        <SelectField name="kind" label="Shipment Type" choices={SHIPMENTS} />
        <SelectField
          name="none"
          label="Shipment Type"
          prompt="Choose"
          choices={SHIPMENTS}
          error="Please choose the destination country."
        />
        <Combobox
          name="country"
          label="Destination Country"
          options={COUNTRIES}
          search={() => COUNTRIES}
          named={() => undefined}
          defaultValue="US"
        />
        <CheckField name="check" label="Save this sender in my address book" defaultChecked />
        <CheckField
          name="uncheck"
          label="Send tracking to the receiver by SMS"
          hint="Indian mobile numbers only. Parcels within the same hour are announced once."
          defaultChecked={false}
        />
        <Section title="Consignor Details" line="Asha Rao, New Delhi" open={false} wrong="">
          <Field name="closed" label="City" />
        </Section>
        <Section title="Consignee Details" open wrong="">
          <Field name="open" label="City" />
          <Fold title="Additional Details" open={false} wrong="">
            <Field name="folded" label="State" />
          </Fold>
        </Section>
      </FormContext>
    </Parts>
  );
}
