import ipaddr from 'ipaddr.js';

const parse = (ip: string) => (ip.includes(':') && ipaddr.isValid(ip) ? ipaddr.process(ip) : undefined);

const prefixOf = ({ parts }: ipaddr.IPv6, groups: number): string => {
  const prefix = parts.slice(0, groups).map((part) => part.toString(16));
  return `${prefix.join(':')}::/${groups * 16}`;
};

/** The address, or for IPv6 its /64: a client usually controls a whole /64 network. */
export const networkOf = (ip: string): string => {
  const address = parse(ip);
  if (!address) return ip;
  return address instanceof ipaddr.IPv6 ? prefixOf(address, 4) : address.toString();
};

/** The /48 of an IPv6 address, which providers assign to one customer; undefined for IPv4. */
export const siteOf = (ip: string): string | undefined => {
  const address = parse(ip);
  return address instanceof ipaddr.IPv6 ? prefixOf(address, 3) : undefined;
};
