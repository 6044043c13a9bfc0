import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** Looks public, but inside one large cloud it is the machine's own host that answers. */
const CLOUD_HOST = '168.63.129.16';

/** Whether anybody on the internet could call this address as well. */
export const isPublicAddress = (text: string): boolean => {
  // Stricter than the library, which also reads `010.1` and the like.
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) return isPublicIpv4(address);
  // In a network that has only IPv6, this is how every IPv4 address looks.
  if (address.match(NAT64)) return isPublicIpv4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  // Every other way to wrap an IPv4 address lies outside, or has a range of its own.
  return address.match(GLOBAL_UNICAST) && address.range() === 'unicast';
};

const isPublicIpv4 = (address: ipaddr.IPv4): boolean =>
  address.range() === 'unicast' && address.toString() !== CLOUD_HOST;
