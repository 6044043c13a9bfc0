import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const problemsOf = (env: Record<string, string>): string[] => {
  try {
    readConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).problems;
  }
  return [];
};

describe('readConfig', () => {
  it('has a default for every setting', () => {
    expect(readConfig({})).toEqual({
      port: 4000,
      host: '127.0.0.1',
      publicUrl: undefined,
      dataDir: path.resolve('data'),
      databaseUrl: undefined,
      natsUrl: undefined,
      trustedProxies: [],
      smtpUrl: undefined,
      smtpMaxConnections: 20,
      mailFrom: 'Parley <parley@localhost>',
      mailInPort: undefined,
      mailInHost: '127.0.0.1',
      mailInDomain: undefined,
      mailInMaxBytes: 25 * 1024 * 1024,
      region: 'dal',
      roles: ['web', 'worker'],
      operatorToken: undefined,
      secretKey: undefined,
      demo: true,
      signUp: 'open',
      rateLimits: true,
      signInLimits: true,
      allowPrivateWebhooks: false,
      geoDatabase: undefined,
      requireHttps: false,
      landingHosts: [],
      recurlyApiKey: undefined,
      recurlyUrl: undefined,
      paymentsSandbox: true,
      development: true,
      logLevel: 'info',
    });
  });

  it('treats an empty variable as absent', () => {
    expect(readConfig({ PORT: '', SMTP_URL: ' ', DEMO: '' })).toEqual(readConfig({}));
  });

  it.each(['postgres://u@/x?host=/run/postgresql', 'postgres:///x?host=/run/postgresql&user=u'])(
    'accepts a database URL with a Unix socket: %s',
    (url) => {
      expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
    },
  );

  it('reads every setting', () => {
    const config = readConfig({
      PORT: '0',
      HOST: '::1',
      PUBLIC_URL: 'https://chat.example/base//',
      DATA_DIR: '/srv/parley',
      DATABASE_URL: 'postgresql://u:p@db/x',
      NATS_URL: 'nats://bus:4222',
      SMTP_URL: 'smtps://u:p@mail',
      MAIL_IN_PORT: '2525',
      MAIL_IN_DOMAIN: 'In.Example.com',
      MAIL_IN_MAX_MB: '5',
      REGION: 'fra',
      ROLES: 'worker, web',
      OPERATOR_TOKEN: 'sixteen-letters!',
      DEMO: '0',
      RATE_LIMITS: 'off',
      ALLOW_PRIVATE_WEBHOOKS: '1',
      GEO_DATABASE: '/var/lib/places.mmdb',
      REQUIRE_HTTPS: '1',
      LANDING_HOSTS: 'www.Example.com, example.com:8443',
      NODE_ENV: 'production',
      LOG_LEVEL: 'debug',
    });
    expect(config).toMatchObject({
      port: 0,
      host: '::1',
      publicUrl: 'https://chat.example/base',
      dataDir: '/srv/parley',
      mailInPort: 2525,
      mailInHost: '::1',
      mailInDomain: 'in.example.com',
      mailInMaxBytes: 5 * 1024 * 1024,
      region: 'fra',
      roles: ['worker', 'web'],
      operatorToken: 'sixteen-letters!',
      demo: false,
      rateLimits: false,
      allowPrivateWebhooks: true,
      geoDatabase: '/var/lib/places.mmdb',
      requireHttps: true,
      landingHosts: ['www.example.com', 'example.com:8443'],
      development: false,
      logLevel: 'debug',
    });
  });

  it('reports all problems together', () => {
    const problems = problemsOf({
      PORT: '65536',
      PUBLIC_URL: 'chat.example',
      DATABASE_URL: 'mysql://db/x',
      NATS_URL: 'http://bus',
      SMTP_URL: 'mail:25',
      MAIL_IN_PORT: 'smtp',
      MAIL_IN_DOMAIN: 'a@b.test',
      MAIL_IN_MAX_MB: '0',
      REGION: 'par',
      ROLES: 'web,cook',
      OPERATOR_TOKEN: 'short',
      SECRET_KEY: 'short',
      DEMO: 'yes',
      SIGNUP: 'yes',
      RATE_LIMITS: '0',
      ALLOW_PRIVATE_WEBHOOKS: 'true',
      LANDING_HOSTS: 'https://www.example.com/',
      RECURLY_API_KEY: 'short',
      RECURLY_URL: 'ftp://x',
      PAYMENTS_SANDBOX: 'yes',
      LOG_LEVEL: 'loud',
    });
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      'PORT',
      'PUBLIC_URL',
      'DEMO',
      'DATABASE_URL',
      'NATS_URL',
      'SMTP_URL',
      'MAIL_IN_PORT',
      'MAIL_IN_DOMAIN',
      'MAIL_IN_MAX_MB',
      'REGION',
      'ROLES',
      'OPERATOR_TOKEN',
      'SECRET_KEY',
      'SIGNUP',
      'RATE_LIMITS',
      'ALLOW_PRIVATE_WEBHOOKS',
      'LANDING_HOSTS',
      'RECURLY_API_KEY',
      'RECURLY_URL',
      'PAYMENTS_SANDBOX',
      'LOG_LEVEL',
    ]);
  });

  it('closes sign-up in production and without the demo, unless asked', () => {
    expect(readConfig({ NODE_ENV: 'production' }).signUp).toBe('closed');
    expect(readConfig({ DEMO: '0' }).signUp).toBe('closed');
    expect(readConfig({ NODE_ENV: 'production', DEMO: '0', SIGNUP: 'invite' }).signUp).toBe('invite');
  });

  it('enables the payment sandbox on a public server only on request', () => {
    expect(readConfig({ HOST: '0.0.0.0' }).paymentsSandbox).toBe(false);
    expect(readConfig({ HOST: '0.0.0.0', PAYMENTS_SANDBOX: '1' }).paymentsSandbox).toBe(true);
  });

  it.each(['-1', '1e3', '4000.5', '0x10', '999999', 'http', '４０００'])('rejects the port %s', (PORT) =>
    expect(problemsOf({ PORT })).toHaveLength(1),
  );

  it.each(['127.0.0.1', 'loopback', '10.0.0.0/8, ::1', 'fd00::/8'])('trusts the proxies %s', (value) => {
    expect(readConfig({ TRUSTED_PROXIES: value }).trustedProxies).toEqual(value.split(',').map((one) => one.trim()));
  });

  it.each(['proxy.test', '10.0.0.0/33', '1.2.3', '10.0.0.0/8/8', ','])('rejects %s as a proxy', (value) => {
    expect(() => readConfig({ TRUSTED_PROXIES: value })).toThrow('TRUSTED_PROXIES');
  });

  it.each([
    ['127.0.0.1', true],
    ['localhost', true],
    ['0.0.0.0', false],
    ['192.0.2.1', false],
  ])('listening on %s, development is %s', (HOST, development) => {
    expect(readConfig({ HOST }).development).toBe(development);
    expect(readConfig({ HOST, NODE_ENV: 'production' }).development).toBe(false);
  });

  it.each([
    [{ PUBLIC_URL: 'http://localhost:4000' }, true],
    [{ PUBLIC_URL: 'http://[::1]:4000' }, true],
    [{ PUBLIC_URL: 'https://chat.example' }, false],
    [{ TRUSTED_PROXIES: '127.0.0.1' }, false],
  ])('the development outbox is disabled behind a proxy: with %j development is %s', (env, development) => {
    expect(readConfig(env)).toMatchObject({ development, paymentsSandbox: development });
  });

  it('requires DATABASE_URL for servers that are connected by NATS', () => {
    expect(problemsOf({ NATS_URL: 'nats://bus' })).toEqual([expect.stringContaining('DATABASE_URL')]);
  });

  it.each<[string, string]>([
    ['DATABASE_URL', 'mysql://root:hunter2@db/x'],
    ['DATABASE_URL', 'mysql://root:p@hunter2@db/x'],
    ['DATABASE_URL', 'postgres//root:hunter2@db/x'],
    ['DATABASE_URL', 'mysql://db/x?user=root&password=hunter2'],
    ['SMTP_URL', 'http://me:hunter2@mail'],
    ['NATS_URL', 'ws://hunter2@bus'],
    ['OPERATOR_TOKEN', 'hunter2'],
    ['SECRET_KEY', 'hun'],
  ])('never prints the secret in %s=%s', (name, value) => {
    const [problem] = problemsOf({ [name]: value });
    expect(problem).toContain(name);
    expect(problem).not.toMatch(/hun/);
  });
});
