import { useEffect, useRef, useState } from "react";
import { useApi } from "../lib/api";
import { messages } from "../lib/messages";
import { useResource } from "../lib/use-resource";
import { Combobox } from "../parts/combobox";
import { SelectField } from "../parts/field";
import { LoadFailed } from "../parts/load-failed";
import type { Country } from "../wire";
import { searchCountries } from "./rate-form";

type Props = {
  countries: Country[] | null;
  defaultValue: string;
};

const LABEL = "Destination Country";
const NAME = "destination_country";

/**
 * A plain list as the server draws it; a searchable one once JavaScript runs and the countries are
 * here. A choice made before that is kept.
 */
export function CountryField({ countries, defaultValue }: Props) {
  const api = useApi();
  const plain = useRef<HTMLDivElement>(null);
  const [early, setEarly] = useState<string | null>(null);
  const resource = useResource<Country[]>({
    sent: countries,
    fallback: messages.countriesFailed,
    load: (signal) => api.countries(signal),
  });
  const list = resource.data;
  useEffect(() => {
    if (list === null) return;
    const chosen = plain.current?.querySelector("select")?.value ?? "";
    queueMicrotask(() => setEarly(chosen));
  }, [list]);

  if (resource.error !== null) return <LoadFailed resource={resource} />;
  if (list !== null && early !== null) {
    return (
      <Combobox
        name={NAME}
        label={LABEL}
        placeholder="Search a country"
        options={countryOptions(list)}
        search={(typed) => countryOptions(searchCountries(list, typed))}
        defaultValue={early === "" ? defaultValue : early}
      />
    );
  }
  return (
    <div ref={plain}>
      <SelectField
        name={NAME}
        label={LABEL}
        prompt="Choose a country"
        choices={countryOptions(list ?? [])}
        defaultValue={defaultValue}
      />
    </div>
  );
}

function countryOptions(countries: readonly Country[]) {
  return countries.map((country) => ({
    key: country.country_code,
    value: String(country.country_id),
    label: country.country_name,
  }));
}
