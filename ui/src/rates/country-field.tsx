import { useApi } from "../lib/api";
import { messages } from "../lib/messages";
import { useResource } from "../lib/use-resource";
import { Combobox } from "../parts/combobox";
import { Field } from "../parts/field";
import { LoadFailed } from "../parts/load-failed";
import type { Country } from "../wire";
import { searchCountries } from "./rate-form";

type Props = { countries: Country[] | null; defaultValue: string };

const LABEL = "Destination Country";
const NAME = "destination_country";

/** The country, chosen by its name. */
export function CountryField({ countries, defaultValue }: Props) {
  const api = useApi();
  const resource = useResource<Country[]>({
    pageData: countries,
    fallback: messages.countriesFailed,
    load: (signal) => api.countries(signal),
  });
  const list = resource.data;
  if (resource.error !== null) return <LoadFailed resource={resource} />;
  if (list === null) return <Field name={NAME} label={LABEL} disabled />;
  return (
    <Combobox
      name={NAME}
      label={LABEL}
      placeholder="Search a country"
      options={countryOptions(list)}
      search={(text) => countryOptions(searchCountries(list, text))}
      defaultValue={defaultValue}
    />
  );
}

function countryOptions(countries: readonly Country[]) {
  return countries.map((country) => ({
    key: country.country_code,
    value: String(country.country_id),
    label: country.country_name,
  }));
}
