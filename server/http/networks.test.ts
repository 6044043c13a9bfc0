import { expect, it } from 'vitest';
import { networkOf, siteOf } from './networks.ts';

it.each([
  ['10.0.0.7', '10.0.0.7', undefined],
  ['::ffff:10.0.0.7', '10.0.0.7', undefined],
  ['2001:db8:1:2::3', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8:1:2:ffff::', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8:1:3::3', '2001:db8:1:3::/64', '2001:db8:1::/48'],
  ['', '', undefined],
])('maps %s to the network %s and the site %s', (ip, network, site) => {
  expect([networkOf(ip), siteOf(ip)]).toEqual([network, site]);
});
