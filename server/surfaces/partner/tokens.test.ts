import { beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildPartner } from '#server/testing/builders/factories.ts';
import { callAs } from '../../testing/http/partner.ts';

const test = useTestApp();
let partner: Awaited<ReturnType<typeof buildPartner>>;

beforeEach(async () => {
  partner = await buildPartner(test);
});

const as = (token: string) =>
  callAs(
    () => test,
    () => token,
  );
const call = callAs(
  () => test,
  () => partner.token,
);

const labels = async (): Promise<string[]> =>
  (await call('GET', '/tokens')).body.result.map(({ label }: { label: string }) => label);

describe('creating a token', () => {
  it.each([
    ['JSON', { label: 'Reports' }],
    ['a form', 'label=Reports'],
  ])('by %s returns a working token', async (_, body) => {
    const created = await call('POST', '/tokens', body);
    expect(created).toMatchObject({
      status: 201,
      body: { id: expect.any(Number), label: 'Reports', creation_timestamp: '2026-03-02 10:00:00' },
    });
    expect(created.body.token).toMatch(/^dal-[\w-]{43}$/);
    expect((await as(created.body.token)('GET', '')).body.partner_id).toBe(String(partner.id));
  });

  it('trims the label', async () => {
    expect((await call('POST', '/tokens', { label: '  Reports ' })).body.label).toBe('Reports');
    expect((await call('POST', '/tokens', { label: 'Reports' })).status).toBe(409);
  });

  it.each([['abc'], ['äöü'], ['👍👍👍'], ['x'.repeat(100)], ['👍'.repeat(100)]])(
    'accepts the label %j',
    async (label) => {
      expect(await call('POST', '/tokens', { label })).toMatchObject({ status: 201, body: { label } });
    },
  );

  it.each([['ab'], [''], ['👍👍'], ['     '], ['  ab  '], ['x'.repeat(101)]])('rejects the label %j', async (label) => {
    expect(await call('POST', '/tokens', { label })).toMatchObject({
      status: 400,
      body: { error: { type: 'validation', details: [{ field: 'label' }] } },
    });
  });

  it('requires a label', async () => {
    expect(await call('POST', '/tokens')).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'label', message: 'is required' }] } },
    });
  });

  it('a token label is unique per partner regardless of case', async () => {
    await call('POST', '/tokens', { label: 'Reports' });
    expect(await call('POST', '/tokens', { label: 'REPORTS' })).toMatchObject({
      status: 409,
      body: { error: { type: 'conflict', message: expect.any(String) } },
    });
    const other = await buildPartner(test);
    expect((await as(other.token)('POST', '/tokens', { label: 'Reports' })).status).toBe(201);
  });

  it('a token label is unique under concurrency', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => call('POST', '/tokens', { label: 'Same' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect((await labels()).filter((label) => label === 'Same')).toHaveLength(1);
  });
});

describe('the list of tokens', () => {
  it("the list has the partner's active tokens with their secrets", async () => {
    const { body: created } = await call('POST', '/tokens', { label: 'Reports' });
    await buildPartner(test);
    const { status, body } = await call('GET', '/tokens');
    expect(status).toBe(200);
    expect(body.result).toEqual([
      { id: expect.any(Number), token: partner.token, label: 'First token', creation_timestamp: '2026-03-02 10:00:00' },
      created,
    ]);
  });
});

describe('revoking a token', () => {
  it('revoking a token takes effect immediately and frees its label', async () => {
    const { body: created } = await call('POST', '/tokens', { label: 'Reports' });
    expect(await call('DELETE', `/tokens/${created.id}`)).toMatchObject({ status: 204, body: undefined });
    expect((await as(created.token)('GET', '')).status).toBe(401);
    expect(await labels()).toEqual(['First token']);
    expect((await call('DELETE', `/tokens/${created.id}`)).status).toBe(400);
    expect((await call('POST', '/tokens', { label: 'Reports' })).status).toBe(201);
  });

  it('a token can revoke itself', async () => {
    const [own] = (await call('GET', '/tokens')).body.result;
    expect((await call('DELETE', `/tokens/${own.id}`)).status).toBe(204);
    expect((await call('GET', '/tokens')).status).toBe(401);
  });

  it('tokens of other partners cannot be revoked', async () => {
    const other = await buildPartner(test);
    const [theirs] = (await as(other.token)('GET', '/tokens')).body.result;
    expect(await call('DELETE', `/tokens/${theirs.id}`)).toMatchObject({
      status: 400,
      body: { error: { type: 'validation', details: [{ field: 'id' }] } },
    });
    expect((await as(other.token)('GET', '')).status).toBe(200);
  });

  it.each([
    '0',
    '-1',
    '1.5',
    '1e3',
    'abc',
    '%20',
    '%00',
    '999999999999999',
    '9223372036854775807',
    '9223372036854775808',
    '9'.repeat(250),
  ])('answers 400 to the id %s', async (id) => {
    const { status, body } = await call('DELETE', `/tokens/${id}`);
    expect({ status, type: body.error.type }).toEqual({ status: 400, type: 'validation' });
  });

  it('a content type without a body is accepted', async () => {
    const { body: created } = await call('POST', '/tokens', { label: 'Reports' });
    const response = await test.app.inject({
      method: 'DELETE',
      url: `/v2/partners/tokens/${created.id}`,
      headers: { authorization: `Bearer ${partner.token}`, 'content-type': 'application/json' },
    });
    expect(response.statusCode).toBe(204);
  });
});
