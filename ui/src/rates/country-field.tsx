import { useRef, useState } from "react";
import { useApi } from "../lib/api";
import { messages } from "../lib/messages";
import { useResource } from "../lib/use-resource";
import { Combobox } from "../parts/combobox";
import { Field } from "../parts/field";
import { LoadFailed } from "../parts/load-failed";
import type { Country } from "../wire";
import { countryNamed, destinations, searchCountries } from "./country-names";

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
  const { others, ask } = useOtherNames(resource.data ?? []);
  if (resource.error !== null) return <LoadFailed resource={resource} />;
  if (resource.data === null) return <Field name={NAME} label={LABEL} disabled />;
  const list = destinations(resource.data);
  const named = (text: string) => {
    const [other, ...more] = others(text);
    const country = countryNamed(list, text) ?? (more.length === 0 ? other : undefined);
    return country && option(country);
  };
  return (
    <Combobox
      name={NAME}
      label={LABEL}
      placeholder="Search a country"
      options={list.map(option)}
      search={(text) => {
        const found = searchCountries(list, text);
        return (found.length > 0 ? found : others(text)).map(option);
      }}
      named={named}
      onType={ask}
      defaultValue={defaultValue}
    />
  );
}

/** Names that only the server knows, such as those in Hindi: it is asked where nothing fits. */
function useOtherNames(countries: readonly Country[]) {
  const api = useApi();
  const [answers, setAnswers] = useState<Record<string, Country[]>>({});
  const asked = useRef("");
  const ask = (text: string) => {
    asked.current = text;
    if (text in answers || searchCountries(countries, text).length > 0) return;
    const wait = new Promise((done) => setTimeout(done, TYPING_MS));
    wait
      .then(() => (asked.current === text ? api.countriesNamed(text) : []))
      .then((found) => {
        if (found.length > 0) setAnswers((earlier) => ({ ...earlier, [text]: found }));
      })
      // The list says that nothing was found.
      .catch(() => undefined);
  };
  return { others: (text: string) => destinations(answers[text] ?? []), ask };
}

/** No call for every letter of a word that is typed fast. */
const TYPING_MS = 150;

function option(country: Country) {
  return {
    key: country.country_code,
    value: String(country.country_id),
    label: country.country_name,
  };
}
