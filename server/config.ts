import { isIP } from 'node:net';
import path from 'node:path';
import { StartError } from './storage/start-error.ts';

export type Role = 'web' | 'worker';

/** Who may create an account on the sign-up pages. */
export type SignUpPolicy = 'open' | 'invite' | 'closed';

/** All settings of an operator, read once at start. */
export interface Config {
  port: number;
  host: string;
  /** Base of all links. Defaults to the address the server listens on. */
  publicUrl: string | undefined;
  dataDir: string;
  /** If absent, the embedded PostgreSQL is used. */
  databaseUrl: string | undefined;
  natsUrl: string | undefined;
  /** Proxies whose forwarding headers are trusted. */
  trustedProxies: string[];
  smtpUrl: string | undefined;
  /** Connections to the mail server that one process opens. */
  smtpMaxConnections: number;
  mailFrom: string;
  /** Port of the SMTP listener; if absent, no mail is accepted. */
  mailInPort: number | undefined;
  mailInHost: string;
  /** Each account receives mail at its license number in this domain. */
  mailInDomain: string | undefined;
  mailInMaxBytes: number;
  region: string;
  roles: Role[];
  operatorToken: string | undefined;
  secretKey: string | undefined;
  demo: boolean;
  signUp: SignUpPolicy;
  rateLimits: boolean;
  /** Limits that protect passwords and codes. Only tests turn them off. */
  signInLimits: boolean;
  allowPrivateWebhooks: boolean;
  /** Path of a GeoIP database in MaxMind format. */
  geoDatabase: string | undefined;
  /** Rejects plain HTTP. The forwarding header of a proxy counts only if the proxy is trusted. */
  requireHttps: boolean;
  /** Additional hosts that partner campaigns may link to. */
  landingHosts: string[];
  /** API key of the payment provider. */
  recurlyApiKey: string | undefined;
  recurlyUrl: string | undefined;
  /** Simulates payments if no provider is configured. */
  paymentsSandbox: boolean;
  /**
   * `/dev/mail` shows sign-in links, so it is available only in development and only if the server is not publicly
   * reachable.
   */
  development: boolean;
  logLevel: string;
}

/** Reports all invalid settings together. */
export class ConfigError extends StartError {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`Invalid settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

type Env = Record<string, string | undefined>;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const MIN_SECRET_LENGTH = 16;
const DEFAULT_MAIL_BYTES = 25 * 1024 * 1024;
const MAIL_DOMAIN = /^(?!-)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/i;

const readPort = (value: string): number | undefined =>
  /^\d{1,5}$/.test(value) && Number(value) <= 65535 ? Number(value) : undefined;

/** An empty variable counts as absent, so that `SMTP_URL=` turns a feature off. */
export const readConfig = (env: Env): Config => {
  const problems: string[] = [];
  const text = (name: string): string | undefined => env[name]?.trim() || undefined;
  const check = <T>(name: string, fallback: T, read: (value: string) => T | undefined, expected: string): T => {
    const value = text(name);
    if (value === undefined) return fallback;
    const result = read(value);
    if (result === undefined) problems.push(`${name} must be ${expected}, but is "${shorten(name, value)}".`);
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
      (value) => (value.length >= MIN_SECRET_LENGTH ? value : undefined),
      `at least ${MIN_SECRET_LENGTH} characters long`,
    );

  const host = text('HOST') ?? '127.0.0.1';
  const port = check('PORT', 4000, readPort, 'a number from 0 to 65535');
  const publicUrl = url('PUBLIC_URL', ['http:', 'https:'])?.replace(/\/+$/, '');
  // A server that listens only on this machine may still be public through a proxy. Then a public URL or a trusted
  // proxy is configured.
  const isLocal =
    isLoopback(host) && (!publicUrl || isLoopback(new URL(publicUrl).hostname)) && !text('TRUSTED_PROXIES');
  const isProduction = text('NODE_ENV') === 'production';
  const development = !isProduction && isLocal;
  const demo = flag('DEMO', '1');
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
      'a list of IP addresses or networks, such as 127.0.0.1, 10.0.0.0/8',
    ),
    smtpUrl: url('SMTP_URL', ['smtp:', 'smtps:']),
    smtpMaxConnections: check(
      'SMTP_MAX_CONNECTIONS',
      20,
      (value) => (/^\d{1,3}$/.test(value) && Number(value) >= 2 ? Number(value) : undefined),
      'a number from 2 to 999',
    ),
    mailFrom: text('MAIL_FROM') ?? 'Parley <parley@localhost>',
    mailInPort: check<number | undefined>('MAIL_IN_PORT', undefined, readPort, 'a number from 0 to 65535'),
    mailInHost: text('MAIL_IN_HOST') ?? host,
    mailInDomain: check<string | undefined>(
      'MAIL_IN_DOMAIN',
      undefined,
      (value) => (MAIL_DOMAIN.test(value) ? value.toLowerCase() : undefined),
      'a domain name, such as mail.example.com',
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
    demo,
    signUp: oneOf('SIGNUP', demo && !isProduction ? 'open' : 'closed', ['open', 'invite', 'closed'] as const),
    rateLimits: oneOf('RATE_LIMITS', 'on', ['on', 'off'] as const) === 'on',
    signInLimits: true,
    allowPrivateWebhooks: flag('ALLOW_PRIVATE_WEBHOOKS', '0'),
    geoDatabase: text('GEO_DATABASE'),
    requireHttps: flag('REQUIRE_HTTPS', '0'),
    landingHosts: check<string[]>('LANDING_HOSTS', [], readHosts, 'a list of hosts, such as www.example.com'),
    recurlyApiKey: secret('RECURLY_API_KEY'),
    recurlyUrl: url('RECURLY_URL', ['http:', 'https:'])?.replace(/\/+$/, ''),
    // A public server must enable the sandbox explicitly, because it makes payments free.
    paymentsSandbox: flag('PAYMENTS_SANDBOX', development ? '1' : '0'),
    development,
    logLevel: oneOf('LOG_LEVEL', 'info', LOG_LEVELS),
  };
  if (config.natsUrl && !config.databaseUrl)
    problems.push('NATS_URL requires DATABASE_URL, because several servers need one shared database.');
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
};

/** The URL of a database on a Unix socket has no host: `postgres://user@/name?host=/run/…`. */
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

/** Normalized as in a URL: lower case, and without the default port. */
const readHosts = (value: string): string[] | undefined => {
  const hosts = value.split(',').map((host) => host.trim().toLowerCase());
  return hosts.every((host) => URL.parse(`https://${host}/`)?.host === host) ? hosts : undefined;
};

const readRoles = (value: string): Role[] | undefined => {
  const roles = value.split(',').map((role) => role.trim());
  return roles.length > 0 && roles.every((role) => role === 'web' || role === 'worker') ? (roles as Role[]) : undefined;
};

/** Error messages must not contain passwords. */
const shorten = (name: string, value: string): string => {
  if (/TOKEN|KEY/.test(name)) return '…';
  const shown = name.endsWith('_URL') ? value.replace(/^.*@/s, '…@').replace(/\?.*$/s, '') : value;
  return shown.slice(0, 60);
};
