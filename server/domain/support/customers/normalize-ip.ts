import ipaddr from 'ipaddr.js';

/** Returns a canonical form, in which an IPv4 address mapped to IPv6 equals the IPv4 address. */
export const normalizeIp = (text: string): string | undefined =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
    ? ipaddr.process(text).toNormalizedString()
    : undefined;
