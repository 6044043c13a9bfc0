import ipaddr from 'ipaddr.js';

/** One spelling for each address: an IPv4 address that arrives by an IPv6 socket is the same one. */
export const normalizeIp = (text: string): string | undefined =>
  ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
    ? ipaddr.process(text).toNormalizedString()
    : undefined;
