import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { writeGeoDatabase } from '../../testing/builders/geo-database.ts';
import { locateNothing, openGeoDatabase } from './geo.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'parley-places-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = path.join(folder, 'places.mmdb');
writeFileSync(
  file,
  writeGeoDatabase('203.0.113.7', {
    city: { names: { en: 'Wrocław' } },
    subdivisions: [{ names: { en: 'Lower Silesia' } }],
    country: { iso_code: 'PL', names: { en: 'Poland' } },
    location: { latitude: 51.1, longitude: 17.03, time_zone: 'Europe/Warsaw' },
  }),
);

describe('places', () => {
  const locate = openGeoDatabase(file);

  it('returns the place of an address', () => {
    expect(locate('203.0.113.7')).toEqual({
      ...{ city: 'Wrocław', region: 'Lower Silesia', country: 'Poland', countryCode: 'PL' },
      ...{ latitude: 51.1, longitude: 17.03, timezone: 'Europe/Warsaw' },
    });
  });

  it('returns nothing for unknown addresses, IPv6 without data, and invalid addresses', () => {
    for (const ip of ['203.0.113.8', '2001:db8::1', 'nonsense', '']) expect(locate(ip)).toBeUndefined();
    expect(locateNothing('203.0.113.7')).toBeUndefined();
  });
});
