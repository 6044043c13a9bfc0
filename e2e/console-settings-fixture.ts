import { createHmac } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { type openShop, PASSWORD } from './console-fixture.ts';

type Shop = Awaited<ReturnType<typeof openShop>>;

/** Markup that must be shown as text everywhere. */
const PAYLOADS = [
  '<img src=x onerror="window.ran=1">',
  '<script>window.ran=1</script>',
  '"><svg onload=window.ran=1>',
  "';window.ran=1//",
  '{{constructor.constructor("window.ran=1")()}}',
];
export const PAYLOAD = PAYLOADS.join(' ');

/** Pages of Team, Settings and Profile that show no content of other users. */
export const OTHER_PAGES = [
  ...['team/agents/new', 'team/groups/new', 'team/bots/new', 'profile', 'settings', 'settings/canned-responses/new'],
  ...['settings/greetings/new', 'settings/goals/new', 'settings/trusted-domains', 'settings/routing'],
  ...['settings/ticket-mail', 'settings/webhooks/new', 'settings/apps/new'],
];

/** Actions on a page of the console. */
export const openConsole = (page: Page, url: string) => {
  const button = (name: string | RegExp): Locator => page.getByRole('button', { name });
  return {
    button,
    go: async (path: string): Promise<void> => {
      await page.goto(`${url}/console/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByText('Loading…').first().waitFor({ state: 'detached' });
    },
    /** Navigates without reloading, as links do, and waits until the new page is ready. */
    navigate: async (path: string): Promise<void> => {
      await page.evaluate(`
        document.querySelectorAll('main *').forEach((element) => element.setAttribute('data-old', ''));
        history.pushState({}, '', '/console/${path}');
      `);
      await page.locator('main :is(h1, ul, form):not([data-old]):visible').first().waitFor();
      await page.getByText('Loading…').first().waitFor({ state: 'detached' });
    },
    save: async (name = 'Save'): Promise<void> => {
      const notices = page.getByRole('status').getByRole('button', { name: 'Dismiss' });
      while ((await notices.count()) > 0) await notices.first().click();
      await button(name).click();
      await notices.first().waitFor();
    },
    pick: async (label: string, choice: string): Promise<void> => {
      await page.getByRole('combobox', { name: label }).click();
      await page.getByRole('option', { name: choice, exact: true }).click();
    },
  };
};

/** Requests of a widget before it is rendered. */
export const openWidget = async (url: string, organizationId: string) => {
  const origin = 'https://lamps.test';
  const grant = { grant_type: 'cookie', client_id: 'widget', response_type: 'token', organization_id: organizationId };
  const answer = await fetch(`${url}/v2/customer/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify(grant),
  });
  const { access_token: token } = await answer.json();
  return async (action: string, query: Record<string, string> = {}) => {
    const params = new URLSearchParams({ organization_id: organizationId, group_id: '0', ...query });
    const headers = { authorization: `Bearer ${token}`, origin };
    return (await fetch(`${url}/v3.5/customer/action/${action}?${params}`, { headers })).json();
  };
};

/** All text of a page, including the values of fields. */
export const readAll = async (page: Page): Promise<string> => {
  const inFields = 'Array.from(document.querySelectorAll("input, textarea"), ({ value }) => value).join("\\n")';
  return `${await page.locator('main').textContent()}\n${await page.evaluate(inFields)}`;
};

/** Writes the payloads into every field by API and returns the pages that show them. */
export const writePayloads = async ({ rest, configure, login, newCustomer, asOwner }: Shop): Promise<string[]> => {
  const group = await rest('POST', '/groups', { name: PAYLOAD, agents: [] });
  const agent = { login: 'mallory@web.test', name: PAYLOAD, job_title: PAYLOAD, password: 'another password' };
  await rest('POST', '/agents', { ...agent, groups: [group.id] });
  const response = await rest('POST', '/canned_responses', { text: PAYLOAD, tags: [PAYLOAD.slice(0, 90)] });
  const greeting = await rest('POST', '/greetings', {
    name: PAYLOAD,
    rules: [
      { type: 'url_current', operator: 'contains', value: PAYLOAD },
      { type: 'custom_variable', operator: 'equals', variable_name: PAYLOAD, variable_value: PAYLOAD },
      { type: 'url_funnel', urls: [{ url: PAYLOAD, operator: 'contains' }] },
    ],
    properties: { 'greeting-message_text': PAYLOAD },
  });
  const goal = await rest('POST', '/goals', { name: PAYLOAD, type: 'url', url: PAYLOAD });
  await rest('POST', '/tags', { author: login, tag: PAYLOAD.slice(0, 90), group: 0 });
  const bot = await configure('create_bot', { name: PAYLOAD, job_title: PAYLOAD });
  const webhook = await configure('register_webhook', {
    ...{ action: 'incoming_chat', url: 'https://hook.example/%3Cimg%20src=x%3E', secret_key: PAYLOAD.slice(0, 90) },
    ...{ owner_client_id: PAYLOAD.slice(0, 90), type: 'license', description: PAYLOAD },
  });
  await configure('register_oauth_client', {
    ...{ name: PAYLOAD, redirect_uris: ['https://app.example/back'], scopes: ['agents_read'], type: 'public' },
  });
  await configure('set_group_form', {
    ...{ group_id: group.id, type: 'prechat', enabled: true },
    fields: [
      { type: 'header', id: 'h', label: PAYLOAD },
      { type: 'radio', id: 'r', label: PAYLOAD, required: true, options: [{ id: 'o', label: PAYLOAD }] },
    ],
  });
  await configure('update_group_widget', {
    group_id: group.id,
    phrases: { en: { Chat_with_us: PAYLOAD, Welcome_message: PAYLOAD } },
    buttons: [{ id: 'b', type: 'text', online_value: PAYLOAD, offline_value: PAYLOAD }],
  });
  const customer = await newCustomer({ name: PAYLOAD });
  await asOwner('ban_customer', { id: customer.id, ban: { days: 3 } });
  return [
    ...['team', 'team/agents/mallory@web.test', 'team/groups', `team/groups/${group.id}`],
    ...['team/bots', `team/bots/${bot.id}`, 'settings/canned-responses', `settings/canned-responses/${response.id}`],
    ...['settings/greetings', `settings/greetings/${greeting.id}`, 'settings/goals', `settings/goals/${goal.id}`],
    ...['settings/tags', 'settings/webhooks', `settings/webhooks/${webhook.id}`, 'settings/apps'],
    ...[`settings/forms/prechat-${group.id}`, `settings/appearance/${group.id}`, 'settings/bans'],
  ];
};

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const fromBase32 = (text: string): Buffer => {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

/** The code of an authenticator app (RFC 6238), `later` steps of 30 seconds ahead. */
export const totpCode = (secret: string, later = 0): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + later));
  const mac = createHmac('sha1', fromBase32(secret.replaceAll(/\s/g, '')))
    .update(counter)
    .digest();
  const number = mac.readUInt32BE(mac.at(-1)! & 0xf) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
};

/** Signs in with password and code, and opens the profile. */
export const signInWithCode = async (page: Page, url: string, login: string, code: string): Promise<void> => {
  await page.goto(`${url}/console/profile`);
  await page.getByRole('textbox', { name: 'Email' }).fill(login);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Profile and security' }).waitFor();
};
