import { readFileSync } from 'node:fs';
import { type CityResponse, Reader } from 'mmdb-lib';

/** Where an address is, as far as a database of places tells. */
export interface GeoPlace {
  city?: string;
  region?: string;
  country?: string;
  countryCode?: string;
  latitude?: number;
  longitude?: number;
  timezone?: string;
}

export type Locate = (ip: string) => GeoPlace | undefined;

const present = <T extends object>(place: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined && value !== '')) as never;

const toPlace = ({ city, subdivisions, country, registered_country, location }: CityResponse): GeoPlace => {
  const land = country ?? registered_country;
  return present({
    city: city?.names?.en,
    region: subdivisions?.[0]?.names?.en,
    country: land?.names?.en,
    countryCode: land?.iso_code,
    latitude: location?.latitude,
    longitude: location?.longitude,
    timezone: location?.time_zone,
  });
};

/** A file in the MaxMind format, of cities or of countries; read whole, so that a look costs microseconds. */
export const openGeoDatabase = (file: string): Locate => {
  const reader = new Reader<CityResponse>(readFileSync(file));
  return (ip) => {
    try {
      const found = reader.get(ip);
      const place = found && toPlace(found);
      return place && Object.keys(place).length > 0 ? place : undefined;
    } catch {
      // What is no address is nowhere.
      return undefined;
    }
  };
};

/** Without a file nobody is anywhere. */
export const nowhere: Locate = () => undefined;
