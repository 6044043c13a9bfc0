import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { createClient } from '#contracts/client.ts';
import { createOrganization } from '#contracts/operator/organizations.ts';
import { OPERATOR_TOKEN } from './start-process.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as any JSON.
type Json = any;

export const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
export const hasBrowser = existsSync(executablePath);
if (!hasBrowser) console.warn('\n*** Browser tests of the console skipped: no Chromium ***\n');

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'];

export const launchBrowser = (): Promise<Browser> => chromium.launch({ executablePath, args: FLAGS });

export const PASSWORD = 'correct horse battery staple';

const send = async (
  url: string,
  method: string,
  body: object | undefined,
  headers: Record<string, string>,
): Promise<Json> => {
  const response = await fetch(url, {
    method,
    headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
};

export interface Customer {
  id: string;
  act(action: string, body: object): Promise<Json>;
}

/** Creates an organization with its owner, and API clients for its agents and customers. */
export const openShop = async (url: string, name: string, operatorToken = OPERATOR_TOKEN) => {
  const operator = createClient({ baseUrl: url, headers: { authorization: `Bearer ${operatorToken}` } });
  const login = `owner@${name}.test`;
  const created = await operator(createOrganization, {
    body: { name, owner: { login, name: 'Olga Owner', password: PASSWORD }, plan: 'business' },
  });
  const organizationId = created.organization_id;
  const authorization = `Bearer ${created.owner.api_key}`;
  const asOwner = (action: string, body: object) =>
    send(`${url}/v3.5/agent/action/${action}`, 'POST', body, { authorization });
  const configure = (action: string, body: object) =>
    send(`${url}/v3.5/configuration/action/${action}`, 'POST', body, { authorization });
  const rest = (method: string, path: string, body?: object) =>
    send(`${url}${path}`, method, body, { authorization, 'x-api-version': '2' });
  const newCustomer = async (details: object): Promise<Customer> => {
    const origin = { origin: `https://${name}.test` };
    const grant = {
      grant_type: 'cookie',
      client_id: 'widget',
      response_type: 'token',
      organization_id: organizationId,
    };
    const token = await send(`${url}/v2/customer/token`, 'POST', grant, origin);
    const act = (action: string, body: object) =>
      send(`${url}/v3.5/customer/action/${action}?organization_id=${organizationId}`, 'POST', body, {
        authorization: `Bearer ${token.access_token}`,
        ...origin,
      });
    await act('update_customer', details);
    return { id: token.entity_id, act };
  };
  return { login, organizationId, license: created.license_id, asOwner, configure, rest, newCustomer };
};

export const message = (text: string) => ({ type: 'message', text });

/** Collects errors of the browser console, except the 401 response that says no agent is signed in. */
export const watchComplaints = (page: Page): string[] => {
  const errors: string[] = [];
  page.on('console', (one) => {
    if (one.type() === 'error' && !/401|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED/.test(one.text()))
      errors.push(one.text());
  });
  page.on('pageerror', (error) => errors.push(error.message));
  return errors;
};

export const fillSignIn = async (page: Page, login: string): Promise<void> => {
  // Other pages have buttons whose label contains "email", and an expired session opens the sign-in page with a delay.
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByRole('textbox', { name: 'Email' }).fill(login);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
};

export const signIn = async (page: Page, url: string, login: string, path = '/console/'): Promise<void> => {
  await page.goto(`${url}${path}`);
  await fillSignIn(page, login);
};

const AXE = readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** Fails on serious and critical axe violations. */
export const expectAccessible = async (page: Page, what: string): Promise<void> => {
  // Elements that are fading in do not have their final colors yet.
  await page.evaluate(
    'Promise.all(document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime < Infinity).map(({ finished }) => finished.catch(() => {})))',
  );
  await page.evaluate(`${AXE};0`);
  const found: Json[] = await page.evaluate(
    'window.axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)',
  );
  const grave = found.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(
    grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }: Json) => html).join(' ')}`),
    what,
  ).toEqual([]);
};

/** A proxy between browser and server that tests can cut, because the browser's own offline mode keeps sockets open. */
export const openLink = async () => {
  let target = 0;
  let isCut = false;
  const sockets = new Set<Socket>();
  const link = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  link.listen(0, '127.0.0.1');
  await once(link, 'listening');
  return {
    url: `http://127.0.0.1:${(link.address() as AddressInfo).port}`,
    leadTo: (port: number) => {
      target = port;
    },
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend: () => {
      isCut = false;
    },
    close: () => {
      link.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};

export const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
};
