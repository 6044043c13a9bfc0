import { readFileSync } from 'node:fs';
import { type CityResponse, Reader } from 'mmdb-lib';

/** The place of an IP address, according to a GeoIP database. */
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
  const nation = country ?? registered_country;
  return present({
    city: city?.names?.en,
    region: subdivisions?.[0]?.names?.en,
    country: nation?.names?.en,
    countryCode: nation?.iso_code,
    latitude: location?.latitude,
    longitude: location?.longitude,
    timezone: location?.time_zone,
  });
};

/**
 * A database in MaxMind format, of cities or countries. It is read into memory, so that a lookup takes microseconds.
 */
export const openGeoDatabase = (file: string): Locate => {
  const reader = new Reader<CityResponse>(readFileSync(file));
  return (ip) => {
    try {
      const found = reader.get(ip);
      const place = found && toPlace(found);
      return place && Object.keys(place).length > 0 ? place : undefined;
    } catch {
      // Invalid addresses have no place.
      return undefined;
    }
  };
};

/** Used without a database. */
export const locateNothing: Locate = () => undefined;
