import { describe, expect, it } from 'vitest';
import { billing, day, expectError, RECENTLY, send } from './index.ts';
import { currentRows, earlierRows } from './operations.ts';
import { kit } from './target.ts';

const { newPartner, target } = kit;

const partner = await newPartner();
const other = await newPartner();
const sendRequest = (method: string, path: string, headers: Record<string, string> = {}, body?: BodyInit) =>
  send(`${target.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${partner.token}`, ...headers },
    ...(body === undefined ? {} : { body }),
  });

const names: Record<string, string> = { '<status>': 'trial', '<slug>': 'pp_any', '<invoice_no>': '1' };
const rows = [...new Set([...currentRows, ...earlierRows].map((row) => row.split(' ').slice(0, 2).join(' ')))]
  .filter((row) => !row.endsWith('/status'))
  .map((row) => row.replace(/<\w+>/g, (name) => names[name] ?? '1').split(' ') as [string, string]);

describe('missing or invalid Authorization header', () => {
  it.each(rows)('%s %s returns 401', async (method, path) => {
    const wrong = ['', 'Bearer', 'Bearer wrong', `Basic ${btoa(`${partner.login}:x`)}`, `Bearer ${partner.token}x`];
    for (const authorization of wrong) expectError(await sendRequest(method, path, { authorization }), 401);
  });

  it('a token of the operator returns 401', async () => {
    expectError(await sendRequest('GET', '/v2/partners', { authorization: `Bearer ${target.operatorToken}` }), 401);
  });

  it('a token identifies its partner', async () => {
    expect((await partner.ok(200, 'GET', '')).partner_id).toBe(partner.id);
    expect((await other.ok(200, 'GET', '')).partner_id).toBe(other.id);
  });
});

describe('paths and methods', () => {
  it('trailing slashes and HEAD are supported', async () => {
    expect((await sendRequest('GET', '/v2/partners/')).body).toEqual((await sendRequest('GET', '/v2/partners')).body);
    expect((await sendRequest('GET', '/v2/partners/affiliates/summary/')).status).toBe(200);
    const headers = { authorization: `Bearer ${partner.token}` };
    const head = await fetch(`${target.url}/v2/partners/balance`, { method: 'HEAD', headers });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('an unsupported method returns 405 with Allow, an unknown path 404', async () => {
    for (const [method, path, allowed] of [
      ['DELETE', '/v2/partners', /PUT/],
      ['PATCH', '/v2/partners/billing', /PUT/],
      ['POST', '/v2/partners/stats', /GET/],
      ['PUT', '/v2/partners/tokens', /POST/],
    ] as const) {
      const response = await sendRequest(method, path, { 'content-type': 'application/json' }, '{}');
      expectError(response, 405);
      expect(response.headers.get('allow')).toMatch(allowed);
    }
    for (const path of [
      '/v2/partners/nothing',
      '/v2/partners/affiliates/metrics/nothing',
      '/v2/partners/affiliates/reports/x',
    ])
      expectError(await sendRequest('GET', path), 404);
  });
});

describe('request bodies', () => {
  const json = { 'content-type': 'application/json' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };

  it.each([
    ['invalid JSON', json, '{'],
    ['no object', json, '[]'],
    ['a text', json, '"label"'],
    ['nothing', json, ''],
    ['neither JSON nor a form', { 'content-type': 'text/plain' }, 'label=abc'],
    ['NUL', json, '{"label":"abc\\u0000"}'],
    ['a truncated character', json, '{"label":"abc\\ud800"}'],
    ['invalid UTF-8', json, new Uint8Array([123, 34, 108, 97, 98, 101, 108, 34, 58, 34, 255, 255, 255, 34, 125])],
    ['a repeated key', json, '{"label":"abc","label":"abd"}'],
    ['a prototype', json, '{"__proto__":{"label":"abc"}}'],
    ['an invalid percent escape', form, 'label=%ff%fe%fd'],
  ])('a body with %s returns 400', async (_, headers, body) => {
    const before = await partner.ok(200, 'GET', '/tokens');
    expectError(await sendRequest('POST', '/v2/partners/tokens', headers, body), 400);
    expect(await partner.ok(200, 'GET', '/tokens')).toEqual(before);
  });

  it('unknown fields are ignored, and a JSON content type may have a charset', async () => {
    await partner.ok(204, 'PUT', '/billing', { ...billing, color: 'red', partner_id: other.id, partnerId: other.id });
    expect(await other.ok(200, 'GET', '/billing')).toMatchObject({ company: '' });
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    expect((await sendRequest('PUT', '/v2/partners/billing', headers, JSON.stringify(billing))).status).toBe(204);
  });

  it('dates are valid UTC days or timestamps in seconds', async () => {
    const at = (query: string) => partner.sendRequest('GET', `/affiliates/licenses?${query}`);
    for (const good of ['2024-02-29', `${day()}T00:00:00Z`, '1970-01-01'])
      expect([good, (await at(`date_from=${good}`)).status]).toEqual([good, 200]);
    const bad = [
      '2023-02-29',
      '2026-1-1',
      '01/02/2026',
      `${day()}T24:00:00Z`,
      `${day()}T00:00:00`,
      '2026-06-31',
      '0000-00-00',
      '',
    ];
    for (const wrong of bad) expectError(await at(`date_from=${encodeURIComponent(wrong)}`), 400, 'date_from');
    expectError(await at(`date_from=${day()}T10:00:01Z&date_to=${day()}T10:00:00Z`), 400);
    expect((await at(`date_from=${day()}T10:00:00Z&date_to=${day()}`)).status).toBe(200);
    expect((await at(RECENTLY)).status).toBe(200);
  });
});
