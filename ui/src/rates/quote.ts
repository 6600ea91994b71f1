import type { Api } from "../lib/api";
import { ApiError } from "../lib/api-error";
import { orNotAvailable } from "../lib/format";
import { INDIA_COUNTRY_ID } from "../lib/limits";
import type { Country, PricedShipment, RateForm, RateOption } from "../wire";
import { destinationCountryId, INTERNATIONAL, rateRequest, readRateValues } from "./rate-form";

/**
 * Checks the origin, then the destination, then asks for rates, so that a place nobody serves is
 * named before any courier is asked. Throws ApiError with the sentence to show.
 */
export async function quote(api: Api, typed: RateForm): Promise<PricedShipment> {
  const values = readRateValues(typed);
  const foreign = values.booking_type === INTERNATIONAL;
  const origin = await findServiceablePlace(api, INDIA_COUNTRY_ID, values, {
    path: "origin_pincode",
    message: "Origin pincode is not serviceable.",
  });
  const country = foreign ? await countryOf(api, values) : undefined;
  const destination = await findServiceablePlace(api, destinationCountryId(values), values, {
    path: "destination_pincode",
    message: foreign
      ? "Destination postal code is not serviceable for the selected country."
      : "Destination pincode is not serviceable.",
  });
  const { data, notes } = await api.rates(rateRequest(values));
  const country_name = foreign ? (country?.country_name ?? "") : "India";
  const rates = data.map(drawnRate);
  return { values, origin, destination, country_name, rates, notes: notes ?? [] };
}

/** A rate that can be drawn, whatever is missing of it. */
function drawnRate(rate: RateOption): RateOption {
  return {
    ...rate,
    product_name: orNotAvailable(rate.product_name),
    parent_vendor: rate.parent_vendor ?? "",
    breakdown: { ...rate.breakdown, lines: rate.breakdown?.lines ?? [] },
  };
}

type Refusal = { path: "origin_pincode" | "destination_pincode"; message: string };

async function findServiceablePlace(
  api: Api,
  country_id: number,
  values: RateForm,
  refusal: Refusal,
) {
  const { data } = await api.checkZipcode(country_id, values[refusal.path]);
  const [place] = data;
  if (place !== undefined) return place;
  throw new ApiError(refusal.message, 404, { code: "not_serviceable", errors: [refusal] });
}

/** The destination's country, once it has the postal code or the city that it needs. */
async function countryOf(api: Api, values: RateForm): Promise<Country | undefined> {
  const id = destinationCountryId(values);
  const country = (await api.countries()).find(({ country_id }) => country_id === id);
  if (values.destination_pincode !== "") return country;
  if (country?.postal_code_optional !== true) {
    const message = "Enter the postal code";
    throw new ApiError(message, 400, { errors: [{ path: "destination_pincode", message }] });
  }
  if (values.city === "") {
    const message = "Please enter the city.";
    throw new ApiError(message, 400, { errors: [{ path: "city", message }] });
  }
  return country;
}
