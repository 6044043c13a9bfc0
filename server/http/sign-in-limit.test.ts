import { expect, it } from 'vitest';
import { networkOf } from './sign-in-limit.ts';

it.each([
  ['10.0.0.7', '10.0.0.7'],
  ['::ffff:10.0.0.7', '10.0.0.7'],
  ['2001:db8:1:2::3', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff::', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::3', '2001:db8:1:3::/64'],
  ['', ''],
])('maps %s to the network %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network);
});
