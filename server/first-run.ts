import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { type DemoCredentials, makeDemo } from './demo/make-demo.ts';
import { createSignInLink } from './domain/accounts/agents/email-tokens.ts';
import { openOrganizationScope } from './domain/scope.ts';

const DEMO_FILE = 'demo.json';

/** Stores the demo's random credentials in a file that only its owner can read. */
const writeCredentials = (dataDir: string, credentials: DemoCredentials): void => {
  const { organizationId, licenseNumber, login, password, apiKey } = credentials;
  const file = { organization_id: organizationId, license_id: licenseNumber, login, password, api_key: apiKey };
  const text = `${JSON.stringify(file, null, 2)}\n`;
  writeFileSync(path.join(dataDir, DEMO_FILE), text, { mode: 0o600, flush: true });
};

/** The demo shop, with a token that signs in its owner. */
export interface FirstRun extends DemoCredentials {
  signInSecret: string;
}

export const firstRun = async (
  { config, services }: Context,
  print: (line: string) => void,
  signal?: AbortSignal,
): Promise<FirstRun | undefined> => {
  if (!config.demo) return undefined;
  const demo = await makeDemo(services, {
    onBegin: () => print('Creating a demo shop with three weeks of chats (set DEMO=0 to start empty) …'),
    saveCredentials: (credentials) => writeCredentials(config.dataDir, credentials),
    signal,
  });
  if (!demo) return undefined;
  const scope = openOrganizationScope(services, { kind: 'system' }, demo.organizationId);
  return { ...demo, signInSecret: await createSignInLink(scope, demo) };
};

interface Installation {
  url: string;
  config: Config;
  demo: FirstRun | undefined;
  /** The port of the SMTP listener, if there is one. */
  mailInPort?: number | undefined;
}

/** The summary printed after the start. */
export const describeInstallation = ({ url, config, demo, mailInPort }: Installation): string[] => {
  const where = (name: string): string => {
    const absolute = path.join(config.dataDir, name);
    const relative = path.relative(process.cwd(), absolute);
    return relative.startsWith('..') ? absolute : relative;
  };
  const rows: [string, string][] = [
    ['Start page', `${url}/`],
    ['Console', `${url}/console`],
    ...(config.demo ? [['Demo shop', `${url}/demo`] as [string, string]] : []),
    ['API references', `${url}/docs/customer  /docs/agent  /docs/chat-ops  /docs/partner`],
    ['Health, metrics', `${url}/health/ready  /metrics`],
    ...(config.smtpUrl || !config.development ? [] : [['Mail (no SMTP_URL)', `${url}/dev/mail`] as [string, string]]),
    ...(mailInPort === undefined ? [] : [['Mail in (SMTP)', `${config.mailInHost}:${mailInPort}`] as [string, string]]),
    ['Operator token', config.operatorToken ? 'from OPERATOR_TOKEN' : where('operator-token')],
  ];
  if (demo) {
    rows.push(
      ['First sign-in', `${url}/console/first-run?token=${demo.signInSecret}  (works once, for one hour)`],
      ['Demo organization', demo.organizationId],
      ['Demo owner', `${demo.login}  password ${demo.password}`],
      ['Demo API key', demo.apiKey],
    );
  } else if (existsSync(path.join(config.dataDir, DEMO_FILE))) rows.push(['Demo credentials', where(DEMO_FILE)]);
  return ['', `Parley is ready at ${url}`, '', ...rows.map(([name, value]) => `  ${name.padEnd(20)}${value}`), ''];
};
