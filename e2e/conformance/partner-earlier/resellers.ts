import { describe, expect, it } from 'vitest';
import { day, expectError, type Json, NUMBER, newAddress, PASSWORD, TEXT, TIME } from '../partner/index.ts';
import {
  AT,
  cardFields,
  createCardToken,
  createSubscribedLicense,
  newClient,
  partner,
  read,
  stranger,
  terms,
  tokenizeCard,
} from './reseller-fixture.ts';
import { kit } from './target.ts';

const { newLicense, operator } = kit;

describe('payment tokens of the sandbox', () => {
  it('GET {payment_token_url} requires every field', async () => {
    expect(await tokenizeCard(cardFields)).toMatchObject({ status: 200, body: { id: expect.stringMatching(/\S/) } });
    for (const name of Object.keys(cardFields)) {
      const { [name as keyof typeof cardFields]: _, ...rest } = cardFields;
      const { status, body } = await tokenizeCard(rest);
      expect([name, status]).not.toEqual([name, 200]);
      expect(JSON.stringify(body)).toContain(name);
    }
    for (const wrong of [
      { number: '4111111111111112' },
      { number: 'x' },
      { month: '13' },
      { year: '2001' },
      { verification_value: 'x' },
    ])
      expect((await tokenizeCard({ ...cardFields, ...wrong })).status).not.toBe(200);
  });
});

describe('licenses for clients', () => {
  it('POST /v2/partners/resellers/licenses creates a license for a client', async () => {
    const client_email = newAddress('client');
    const made = await partner.ok(201, 'POST', AT, { client_name: 'Büro Ä', client_email, purchase_order: 'PO-7' });
    expect(made).toEqual({
      ...{ license: expect.stringMatching(/^\d+$/), client_name: 'Büro Ä', client_email, purchase_order: 'PO-7' },
      ...{
        creation_timestamp: TIME,
        end_timestamp: TIME,
        cc_added: false,
        paid: false,
        expired: false,
        blocked: false,
      },
      ...{ seats: NUMBER, plan: TEXT, billing_cycle: expect.any(String), total_discount: 0, discount_percent: 20 },
      recurly: { subscriber: false, in_trial: true, recurrent: false },
    });
    expectError(await partner.sendRequest('POST', AT, { client_name: 'Again', client_email }), 409);
    expectError(
      await stranger.sendRequest('POST', AT, { client_name: 'Again', client_email: client_email.toUpperCase() }),
      409,
    );
    const owner = { login: newAddress('owner'), name: 'Olga', password: PASSWORD };
    await operator.ok(201, 'POST', '/organizations', { name: 'Shop', owner });
    expectError(await partner.sendRequest('POST', AT, { client_name: 'Has one', client_email: owner.login }), 409);
    const form = new URLSearchParams({ client_name: 'By a form', client_email: newAddress('form') });
    expect(await partner.ok(201, 'POST', AT, form)).toMatchObject({ client_name: 'By a form', purchase_order: '' });
    const twice = { client_name: 'Twice', client_email: newAddress('twice') };
    const race = await Promise.all([1, 2, 3].map(() => partner.sendRequest('POST', AT, twice)));
    expect(race.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  });

  it('POST /v2/partners/resellers/licenses rejects missing and invalid fields', async () => {
    for (const [body, field] of [
      [{ client_email: newAddress('x') }, 'client_name'],
      [{ client_name: 'X' }, 'client_email'],
      [{ client_name: 'X', client_email: 'nobody' }, 'client_email'],
      [{ client_name: '', client_email: newAddress('x') }, 'client_name'],
    ] as const)
      expectError(await partner.sendRequest('POST', AT, body), 400, field);
  });

  it('GET /v2/partners/resellers/licenses lists licenses and …/<license_id> returns one', async () => {
    const { recurly, ...made } = await newClient({ purchase_order: 'PO-8' });
    const list = async (query = ''): Promise<Json[]> => (await partner.ok(200, 'GET', `${AT}${query}`)).result;
    expect(await list()).toContainEqual(made);
    expect(await read(made.license)).toEqual({ ...made, recurly });
    expect(await list(`?date_from=${day()}&date_to=${day()}`)).toContainEqual(made);
    expect(await list(`?date_to=${day(-1)}`)).toEqual([]);
    expectError(await partner.sendRequest('GET', `${AT}?date_from=x`), 400, 'date_from');
    expectError(await partner.sendRequest('GET', `${AT}?date_from=${day()}&date_to=${day(-1)}`), 400);
    expect((await stranger.ok(200, 'GET', AT)).result).toEqual([]);
    const affiliate = await newLicense(partner);
    for (const path of [`${AT}/999999999`, `${AT}/${affiliate.number}`])
      expectError(await partner.sendRequest('GET', path), 404);
    for (const wrong of ['x', '0', '-1', '1.5']) expectError(await partner.sendRequest('GET', `${AT}/${wrong}`), 400);
  });
});

describe('licenses of other partners', () => {
  it.each([
    ['GET', ''],
    ['GET', '/invoices'],
    ['GET', '/invoices/1'],
    ['POST', '/subscription'],
    ['PUT', '/subscription'],
    ['PUT', '/billing'],
    ['DELETE', '/subscription'],
  ] as const)('%s …/<license_id>%s returns 404 for a license of another partner', async (method, path) => {
    const license = await createSubscribedLicense();
    const body = method === 'GET' ? undefined : { ...terms, token: await createCardToken(), password: PASSWORD };
    expectError(await stranger.sendRequest(method, `${AT}/${license}${path}`, body), 404);
    expectError(await partner.sendRequest(method, `${AT}/999999999${path}`, body), 404);
    expectError(await partner.sendRequest(method, `${AT}/x${path}`, body), 400);
    expect(await read(license)).toMatchObject({ paid: true, recurly: { subscriber: true, recurrent: true } });
  });
});

describe('invoices and history', () => {
  it('GET …/invoices/<invoice_no> returns a PDF, also for a payment recorded by the operator', async () => {
    const license = await createSubscribedLicense();
    const { organizations } = await operator.ok(200, 'GET', `/organizations?limit=1&after=${Number(license) - 1}`);
    expect(organizations[0].license_id).toBe(Number(license));
    await kit.pay({ id: organizations[0].organization_id }, 4200, { plan: 'team', billing_cycle: 'monthly', seats: 2 });
    const { result } = await partner.ok(200, 'GET', `${AT}/${license}/invoices`);
    expect(result.map(({ amount }: Json) => amount)).toContain(42);
    for (const { invoice_no } of result) {
      const path = `${AT}/${license}/invoices/${invoice_no}`;
      const { status, headers, body } = await partner.sendRequest('GET', path);
      expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf']);
      expect(body.slice(0, 5)).toBe('%PDF-');
      expect(body.trimEnd().slice(-5)).toBe('%%EOF');
    }
    const { license: other } = await newClient();
    expectError(await partner.sendRequest('GET', `${AT}/${other}/invoices/${result[0].invoice_no}`), 404);
    expectError(await partner.sendRequest('GET', `${AT}/${license}/invoices/999999999`), 404);
    expectError(await partner.sendRequest('GET', `${AT}/${license}/invoices/x`), 400);
  });

  it('GET /v2/partners/resellers/history and the earnings show the savings', async () => {
    const { result } = await partner.ok(200, 'GET', '/resellers/history');
    expect(result).toHaveLength(12);
    const now = result.find(({ date }: Json) => date === day().slice(0, 7));
    const all: Json[] = (await partner.ok(200, 'GET', AT)).result;
    expect(now).toEqual({
      date: day().slice(0, 7),
      trials: all.length,
      paid: all.filter(({ cc_added }) => cc_added).length,
    });
    const saved = Math.round(all.reduce((sum, { total_discount }) => sum + total_discount * 100, 0)) / 100;
    expect(saved).toBeGreaterThan(0);
    expect((await partner.ok(200, 'GET', '/earnings?shape=earlier')).discount).toBe(saved);
    expect((await partner.ok(200, 'GET', '/earnings')).solution.mainchat.discount).toBe(saved);
    expect(await partner.ok(200, 'GET', '/active-licenses')).toMatchObject({
      reseller_paid: all.filter(({ paid, expired }) => paid && !expired).length,
    });
  });
});
