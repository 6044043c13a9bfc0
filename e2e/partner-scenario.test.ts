import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { createTestDatabase } from '#server/testing/app/start-app.ts';
import { createAgent, logInCustomer } from './conformance/agent/agent-client.ts';
import { callAs, revealApiKey, signIn } from './conformance/chat-ops/index.ts';
import { createCaller, type Json, message, send } from './conformance/customer/call.ts';
import { billing, createKit, day, newAddress, newName, PASSWORD, type Partner } from './conformance/partner/index.ts';
import { findLink } from './conformance/partner/visitor.ts';
import { expectPartnerNumbers, type PartnerNumbers } from './partner-views.ts';
import { OPERATOR_TOKEN, startProcess, toDatabaseUrl } from './start-process.ts';

const databaseUrl = toDatabaseUrl(await createTestDatabase());
const server = await startProcess({ DATABASE_URL: databaseUrl, RATE_LIMITS: 'off' });
afterAll(server.stop);
const { url } = server;
const { operator, newPartner, asPartner, visitor } = createKit({ url, operatorToken: OPERATOR_TOKEN });

const DAYS = `date_from=${day(-20)}&date_to=${day(1)}`;
const nothing: PartnerNumbers = {
  ...{ clicks: 0, trials: 0, qualified: 0, converted: 0, onTrial: 0, paid: 0, expired: 0, partnersReferred: 0 },
  ...{ own: 0, second: 0, available: 0, held: 0, pending: 0, withdrawn: 0 },
};

const expectNumbers = (partner: Partner, numbers: Partial<PartnerNumbers>): Promise<void> =>
  expectPartnerNumbers((path) => partner.ok(200, 'GET', path), DAYS, { ...nothing, ...numbers });

/** Clicks and milestones are written asynchronously. */
const WAIT_OPTIONS = { timeout: 60_000 };
const clicksOf = (partner: Partner): Promise<Json> => partner.ok(200, 'GET', '/affiliates/metrics/clicks');

const verifyLedger = async (): Promise<string> => {
  const main = fileURLToPath(new URL('../server/commands/main.ts', import.meta.url));
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl };
  // Exits with 1, and so throws, if anything differs.
  return (await promisify(execFile)(process.execPath, [main, 'ledger', 'verify'], { env })).stdout;
};

/** Clicks a short link, opens the landing page and signs up. */
const signUpBy = async (shortUrl: string, email: string) => {
  const person = visitor();
  const landing = await person.open(shortUrl);
  expect(landing.status).toBe(200);
  const page = await person.open(findLink(landing.body, '/signup'));
  const responses = { email, name: 'Olga', password: PASSWORD, organization: 'Olga’s shop' };
  expect(await person.submit(page, responses)).toMatchObject({ status: expect.toBeOneOf([200, 201]) });
};

/** A customer opens the widget on a page, asks and gets an answer. */
const chat = async (organizationId: string, login: string): Promise<void> => {
  const cookie = await signIn(url, login);
  const key = await revealApiKey(url, cookie);
  const atDesk = await createAgent(url, { id: login, key, name: 'Olga' }).logIn({});
  const input = { grant_type: 'cookie', client_id: 'widget', response_type: 'token', organization_id: organizationId };
  const { body } = await send(`${url}/v2/customer/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'https://olgas-shop.test' },
    body: JSON.stringify(input),
  });
  const customer = createCaller({ url, organizationId, customerId: body.entity_id, token: body.access_token });
  const atHome = await logInCustomer(customer);
  const { chat_id } = await atHome.ok('start_chat', { chat: { thread: { events: [message('Do you have tea?')] } } });
  await atDesk.push('incoming_chat', ({ chat: { id } }) => id === chat_id);
  await atDesk.ok('send_event', { chat_id, event: message('We do.') });
  await atHome.push('incoming_event', ({ event }) => event.text === 'We do.');
  await atHome.ok('deactivate_chat', { id: chat_id });
  for (const socket of [atDesk, atHome]) socket.close();
  // Partners see the number of conversations in the reports of the organization.
  const counted = await callAs(
    url,
    { cookie },
    'GET',
    `/reports/chats/total_chats?date_from=${day(-1)}&date_to=${day(1)}`,
  );
  expect(Object.values<Json>(counted.body).reduce((all, { chats }) => all + chats, 0)).toBe(1);
};

it('clicks, trials, payments, refunds and withdrawals give equal numbers in every view', async () => {
  // A partner refers another partner, who creates a campaign.
  const first = await newPartner();
  const { partner_program } = await first.ok(200, 'GET', '/affiliates/links');
  const joiner = visitor();
  await joiner.open(partner_program.short_url);
  const login = newAddress('second');
  const joined = await send(`${url}/join`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: joiner.cookies() },
    body: JSON.stringify({ email: login, password: PASSWORD, first_name: 'Sven', last_name: 'Second' }),
  });
  expect(joined.status).toBe(201);
  const second = asPartner({ id: joined.body.partner_id, login }, joined.body.token);
  const input = { name: 'Autumn letters', trial_duration: 30 };
  const campaign = await second.ok(201, 'POST', '/affiliates/campaigns?product=mainchat', input);

  // A visitor clicks the link and starts a trial.
  const owner = newAddress('olga');
  await signUpBy(`${campaign.short_url}?utm_medium=letter`, owner);
  await expect.poll(() => clicksOf(second), WAIT_OPTIONS).toEqual({ value: 1 });
  await expect.poll(() => clicksOf(first), WAIT_OPTIONS).toEqual({ value: 1 });
  await expectNumbers(second, { clicks: 1, trials: 1, onTrial: 1 });
  await expectNumbers(first, { clicks: 1, partnersReferred: 1 });
  const { organizations } = await operator.ok(200, 'GET', '/organizations?limit=100');
  const shop = organizations.at(-1);
  expect(Date.parse(shop.trial_ends_at) - Date.parse(shop.created_at)).toBe(30 * 86_400_000);

  // The widget is installed and a customer chats.
  await chat(shop.organization_id, owner);
  const licenses = async (): Promise<Json[]> => (await second.ok(200, 'GET', '/affiliates/licenses')).result;
  await expect
    .poll(licenses, WAIT_OPTIONS)
    .toMatchObject([{ ql: true, utm_medium: 'letter', campaign_name: input.name }]);
  await expectNumbers(second, { clicks: 1, trials: 1, onTrial: 1, qualified: 1 });
  const seen = (await second.ok(200, 'GET', '/affiliates/licenses?shape=earlier')).tier1;
  expect(seen).toMatchObject([{ chat_installed: true, conversations: 1 }]);

  // The license is paid, and the payment is reported twice.
  const payment = { external_id: newName(), product: 'mainchat', amount_cents: 39_999, currency: 'USD', plan: 'team' };
  const path = `/organizations/${shop.organization_id}/payments`;
  await operator.ok(201, 'POST', path, payment);
  await operator.ok(200, 'POST', path, payment);
  const brought = { clicks: 1, trials: 1, qualified: 1, converted: 1, paid: 1 };
  await expectNumbers(second, { ...brought, own: 8000, available: 8000 });
  await expectNumbers(first, { clicks: 1, partnersReferred: 1, second: 2000, available: 2000 });
  const { results } = await second.ok(200, 'GET', '/commissions');
  const chain = { clicked_at: expect.any(String), trial_at: expect.any(String), qualified_at: expect.any(String) };
  expect(results).toMatchObject([{ amount: 80, percent: 20, chain }]);

  // The balance is withdrawn and paid; the other partner has not earned enough.
  expect((await first.sendRequest('POST', '/withdrawals')).status).toBe(403);
  await second.ok(204, 'PUT', '/billing', billing);
  const withdrawal = await second.ok(201, 'POST', '/withdrawals');
  expect(withdrawal).toMatchObject({ amount: 80, status: 'pending' });
  await expectNumbers(second, { ...brought, own: 8000, pending: 8000 });
  await operator.ok(200, 'POST', `/withdrawals/${withdrawal.withdrawal_id}/pay`);
  await expectNumbers(second, { ...brought, own: 8000, withdrawn: 8000 });
  expect((await second.ok(200, 'GET', '/withdrawals')).result).toMatchObject([{ status: 'paid', amount: 80 }]);

  // The payment is refunded in two parts.
  const refund = (amount_cents: number): Promise<Json> =>
    operator.ok(201, 'POST', `/payments/${payment.external_id}/refunds`, { external_id: newName(), amount_cents });
  await refund(20_000);
  await expectNumbers(second, { ...brought, own: 4000, available: -4000, withdrawn: 8000 });
  await expectNumbers(first, { clicks: 1, partnersReferred: 1, second: 1000, available: 1000 });
  await refund(19_999);
  await expectNumbers(second, { ...brought, available: -8000, withdrawn: 8000 });
  await expectNumbers(first, { clicks: 1, partnersReferred: 1 });
  expect(await second.ok(200, 'GET', '/balance')).toEqual({ pending: 0, withdrawn: 80, available: -80, total: '0.00' });
  expect(await verifyLedger()).toMatch(/\S/);
});
