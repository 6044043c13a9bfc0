import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** A public address at which, inside Azure, the machine's own host answers. */
const CLOUD_HOST = '168.63.129.16';

/** Whether the address is reachable from the public internet. */
export const isPublicAddress = (text: string): boolean => {
  // Stricter than the library, which also accepts forms like `010.1`.
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) return isPublicIpv4(address);
  // How IPv4 addresses appear in an IPv6-only network.
  if (address.match(NAT64)) return isPublicIpv4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  // All other encodings of IPv4 addresses are outside this range or have their own range.
  return address.match(GLOBAL_UNICAST) && address.range() === 'unicast';
};

const isPublicIpv4 = (address: ipaddr.IPv4): boolean =>
  address.range() === 'unicast' && address.toString() !== CLOUD_HOST;
