import { isIP } from 'node:net';
import path from 'node:path';
import { StartError } from './storage/start-error.ts';

export type Role = 'web' | 'worker';

/** Everything an operator can set, read once. */
export interface Config {
  port: number;
  host: string;
  /** Base of every link we print; without a setting it follows the address the server listens on. */
  publicUrl: string | undefined;
  dataDir: string;
  /** Absent: the embedded PostgreSQL. */
  databaseUrl: string | undefined;
  natsUrl: string | undefined;
  /** Proxies whose word about the caller's address counts. */
  trustedProxies: string[];
  smtpUrl: string | undefined;
  mailFrom: string;
  /** Takes mail by SMTP there; absent: nowhere. */
  mailInPort: number | undefined;
  mailInHost: string;
  /** Every account gets mail at its license number in this domain. */
  mailInDomain: string | undefined;
  mailInMaxBytes: number;
  region: string;
  roles: Role[];
  operatorToken: string | undefined;
  secretKey: string | undefined;
  demo: boolean;
  rateLimits: boolean;
  allowPrivateWebhooks: boolean;
  /** A file in the MaxMind format that tells where addresses are. */
  geoDatabase: string | undefined;
  /** Plain HTTP is refused; a proxy's word about it counts only when the proxy is trusted. */
  requireHttps: boolean;
  /** Other hosts than ours that a partner's campaign may lead to. */
  landingHosts: string[];
  /** Of the provider that takes money from cards. */
  recurlyApiKey: string | undefined;
  recurlyUrl: string | undefined;
  /** Without a provider, a stand-in that takes no money from anybody. */
  paymentsSandbox: boolean;
  /** `/dev/mail` shows links that sign people in: only in development, and only where strangers cannot reach the server. */
  development: boolean;
  logLevel: string;
}

/** Every fault of the settings at once, in plain words. */
export class ConfigError extends StartError {
  readonly faults: string[];
  constructor(faults: string[]) {
    super(`Parley cannot start with these settings:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

type Env = Record<string, string | undefined>;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const MIN_SECRET = 16;
const DEFAULT_MAIL_BYTES = 25 * 1024 * 1024;
const MAIL_DOMAIN = /^(?!-)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/i;

const readPort = (value: string): number | undefined =>
  /^\d{1,5}$/.test(value) && Number(value) <= 65535 ? Number(value) : undefined;

/** An empty variable counts as absent, as people write `SMTP_URL=` to switch something off. */
export const readConfig = (env: Env): Config => {
  const faults: string[] = [];
  const text = (name: string): string | undefined => env[name]?.trim() || undefined;
  const check = <T>(name: string, fallback: T, read: (value: string) => T | undefined, expected: string): T => {
    const value = text(name);
    if (value === undefined) return fallback;
    const result = read(value);
    if (result === undefined) faults.push(`${name} is "${shorten(name, value)}", but it must be ${expected}.`);
    return result ?? fallback;
  };
  const url = (name: string, protocols: string[]) =>
    check<string | undefined>(
      name,
      undefined,
      (value) => (protocols.includes(protocolOf(value) ?? '') ? value : undefined),
      `a URL starting with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    );
  const oneOf = <T extends string>(name: string, fallback: T, values: readonly T[]) =>
    check(name, fallback, (value) => values.find((one) => one === value), `one of: ${values.join(', ')}`);
  const flag = (name: string, fallback: '0' | '1') => oneOf(name, fallback, ['0', '1'] as const) === '1';
  const secret = (name: string) =>
    check<string | undefined>(
      name,
      undefined,
      (value) => (value.length >= MIN_SECRET ? value : undefined),
      `at least ${MIN_SECRET} characters long`,
    );

  const host = text('HOST') ?? '127.0.0.1';
  const port = check('PORT', 4000, readPort, 'a number from 0 to 65535');
  const publicUrl = url('PUBLIC_URL', ['http:', 'https:'])?.replace(/\/+$/, '');
  // Others reach what listens on this machine alone through a proxy: then there is another name, or the proxy is named.
  const isOurs =
    isLoopback(host) && (!publicUrl || isLoopback(new URL(publicUrl).hostname)) && !text('TRUSTED_PROXIES');
  const development = text('NODE_ENV') !== 'production' && isOurs;
  const config: Config = {
    port,
    host,
    publicUrl,
    dataDir: path.resolve(text('DATA_DIR') ?? 'data'),
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    natsUrl: url('NATS_URL', ['nats:', 'tls:']),
    trustedProxies: check<string[]>(
      'TRUSTED_PROXIES',
      [],
      readProxies,
      'a list of addresses or networks, such as 127.0.0.1, 10.0.0.0/8',
    ),
    smtpUrl: url('SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom: text('MAIL_FROM') ?? 'Parley <parley@localhost>',
    mailInPort: check<number | undefined>('MAIL_IN_PORT', undefined, readPort, 'a number from 0 to 65535'),
    mailInHost: text('MAIL_IN_HOST') ?? host,
    mailInDomain: check<string | undefined>(
      'MAIL_IN_DOMAIN',
      undefined,
      (value) => (MAIL_DOMAIN.test(value) ? value.toLowerCase() : undefined),
      'the name of a domain, such as mail.example.com',
    ),
    mailInMaxBytes: check(
      'MAIL_IN_MAX_MB',
      DEFAULT_MAIL_BYTES,
      (value) => (/^\d{1,3}$/.test(value) && Number(value) > 0 ? Number(value) * 1024 * 1024 : undefined),
      'a number from 1 to 999',
    ),
    region: oneOf('REGION', 'dal', ['dal', 'fra'] as const),
    roles: check<Role[]>('ROLES', ['web', 'worker'], readRoles, 'a list of: web, worker'),
    operatorToken: secret('OPERATOR_TOKEN'),
    secretKey: secret('SECRET_KEY'),
    demo: flag('DEMO', '1'),
    rateLimits: oneOf('RATE_LIMITS', 'on', ['on', 'off'] as const) === 'on',
    allowPrivateWebhooks: flag('ALLOW_PRIVATE_WEBHOOKS', '0'),
    geoDatabase: text('GEO_DATABASE'),
    requireHttps: flag('REQUIRE_HTTPS', '0'),
    landingHosts: check<string[]>('LANDING_HOSTS', [], readHosts, 'a list of hosts, such as www.example.com'),
    recurlyApiKey: secret('RECURLY_API_KEY'),
    recurlyUrl: url('RECURLY_URL', ['http:', 'https:'])?.replace(/\/+$/, ''),
    // Whoever is reached by others must ask for it: with it nobody pays.
    paymentsSandbox: flag('PAYMENTS_SANDBOX', development ? '1' : '0'),
    development,
    logLevel: oneOf('LOG_LEVEL', 'info', LOG_LEVELS),
  };
  if (config.natsUrl && !config.databaseUrl)
    faults.push('NATS_URL joins several servers, and they need one database: set DATABASE_URL too.');
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
};

/** A database behind a Unix socket has no host between its user and its name: `postgres://user@/name?host=/run/…`. */
const protocolOf = (value: string): string | undefined =>
  URL.parse(/^postgres(ql)?:/.test(value) ? value.replace('@/', '@localhost/') : value)?.protocol;

const isLoopback = (host: string): boolean => ['localhost', '::1', '[::1]'].includes(host) || host.startsWith('127.');

const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/');
  const width = isIP(address) === 6 ? 128 : 32;
  return (
    isIP(address) !== 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= width))
  );
};

const readProxies = (value: string): string[] | undefined => {
  const proxies = value.split(',').map((proxy) => proxy.trim());
  return proxies.every((proxy) => NAMED_NETWORKS.includes(proxy) || isNetwork(proxy)) ? proxies : undefined;
};

/** As a URL writes them: small letters, and a port only where it is not the usual one. */
const readHosts = (value: string): string[] | undefined => {
  const hosts = value.split(',').map((host) => host.trim().toLowerCase());
  return hosts.every((host) => URL.parse(`https://${host}/`)?.host === host) ? hosts : undefined;
};

const readRoles = (value: string): Role[] | undefined => {
  const roles = value.split(',').map((role) => role.trim());
  return roles.length > 0 && roles.every((role) => role === 'web' || role === 'worker') ? (roles as Role[]) : undefined;
};

/** A fault report must not print what may hold a password. */
const shorten = (name: string, value: string): string => {
  if (/TOKEN|KEY/.test(name)) return '…';
  const shown = name.endsWith('_URL') ? value.replace(/^.*@/s, '…@').replace(/\?.*$/s, '') : value;
  return shown.slice(0, 60);
};
