import { describe, expect, it } from 'vitest';
import { expectError, type Json, newAddress, TEXT, TIME } from './index.ts';
import { kit } from './target.ts';

const { newPartner, operator, newLicense } = kit;

describe('status', () => {
  it('GET /v2/partners/status requires no token', async () => {
    const anonymous = kit.asPartner({ id: '', login: '' }, 'wrong');
    expect((await anonymous.sendRequest('GET', '/status', undefined, { authorization: '' })).status).toBe(200);
    await anonymous.ok(200, 'GET', '/status');
  });
});

describe('profile', async () => {
  const partner = await newPartner({ contact_name: 'Paul', contact_email: 'paul@far.test' });
  const changes = {
    ...{ first_name: 'Paola', last_name: 'Ännchen', contact_name: 'P. A.', contact_email: 'new@far.test' },
  };

  it('GET /v2/partners returns the profile', async () => {
    const profile = await partner.ok(200, 'GET', '');
    expect(profile).toEqual({
      ...{ partner_id: partner.id, login: partner.login, first_name: 'Paula', last_name: 'Partner' },
      ...{
        contact_name: 'Paul',
        contact_email: 'paul@far.test',
        solution_status: TEXT,
        properties: profile.properties,
      },
    });
    const flags = [
      'sales_kit_popup_closed',
      'pitch_deck_downloaded',
      'tier2_popup_closed',
      'payment_origin_popup_closed',
    ];
    for (const flag of flags) expect(profile.properties[flag]).toBe(false);
  });

  it('PUT /v2/partners updates the profile', async () => {
    const response = await partner.sendRequest('PUT', '', changes);
    expect([response.status, response.body]).toEqual([204, '']);
    expect(await partner.ok(200, 'GET', '')).toMatchObject(changes);
  });

  it('PUT /v2/partners keeps email settings that are left out', async () => {
    const settings = {
      ...{ send_monthly_summary: false, send_reseller_weekly_summary: true },
      ...{ send_newsletter: false, send_notifications: true },
    };
    await partner.ok(204, 'PUT', '', { ...changes, ...settings });
    await partner.ok(204, 'PUT', '', { ...changes, send_newsletter: true });
    expect(await partner.ok(200, 'GET', '?shape=earlier')).toMatchObject({ ...settings, send_newsletter: true });
    const form = new URLSearchParams({ ...changes, send_newsletter: 'false', send_monthly_summary: '1' });
    await partner.ok(204, 'PUT', '', form);
    expect(await partner.ok(200, 'GET', '?shape=earlier')).toMatchObject({
      ...{ send_newsletter: false, send_monthly_summary: true, send_notifications: true },
    });
  });

  it.each(['first_name', 'last_name', 'contact_name', 'contact_email'])(
    'PUT /v2/partners requires %s',
    async (name) => {
      const before = await partner.ok(200, 'GET', '');
      const { [name as keyof typeof changes]: _, ...rest } = changes;
      expectError(await partner.sendRequest('PUT', '', rest), 400, name);
      expectError(await partner.sendRequest('PUT', '', { ...changes, [name]: '' }), 400, name);
      expectError(await partner.sendRequest('PUT', '', { ...changes, [name]: { a: 1 } }), 400, name);
      expect(await partner.ok(200, 'GET', '')).toEqual(before);
    },
  );

  it('PUT /v2/partners rejects invalid email addresses and booleans', async () => {
    expectError(await partner.sendRequest('PUT', '', { ...changes, contact_email: 'nobody' }), 400, 'contact_email');
    expectError(await partner.sendRequest('PUT', '', { ...changes, send_newsletter: 'maybe' }), 400, 'send_newsletter');
  });
});

describe('stats and coupons', async () => {
  const partner = await newPartner();

  it('GET /v2/partners/stats returns totals', async () => {
    const none = { trials: 0, trials_cc: 0, paid: 0 };
    const products = { mainchat: none, chatbot: none, helpdesk: none };
    const empty = {
      affiliate: { ...products, partner_program: { ...none, partners_referred: 0 } },
      solution: products,
    };
    expect(await partner.ok(200, 'GET', '/stats')).toEqual(empty);
    const [license] = await Promise.all([
      newLicense(partner),
      newLicense(partner, { product: 'helpdesk' }),
      newPartner({ referred_by: partner.id }),
    ]);
    await kit.pay(license, 1000);
    expect(await partner.ok(200, 'GET', '/stats')).toEqual({
      ...empty,
      affiliate: {
        ...{ mainchat: { ...none, paid: 1 }, chatbot: none, helpdesk: { ...none, trials: 1 } },
        partner_program: { ...none, partners_referred: 1 },
      },
    });
  });

  it('GET /v2/partners/coupons lists active coupons', async () => {
    expect(await partner.ok(200, 'GET', '/coupons')).toEqual({ result: [] });
    const path = `/partners/${partner.id}/coupons`;
    const { id } = await operator.ok(201, 'POST', path, { label: '10% off', percent_off: 10 });
    await operator.ok(201, 'POST', path, { label: 'Over', amount_off_cents: 500, active: false });
    expect(await partner.ok(200, 'GET', '/coupons')).toEqual({ result: [{ id, label: '10% off' }] });
    const stranger = await newPartner();
    expect(await stranger.ok(200, 'GET', '/coupons')).toEqual({ result: [] });
  });
});

describe('tokens', async () => {
  const partner = await newPartner();
  const list = async (): Promise<Json[]> => (await partner.ok(200, 'GET', '/tokens')).result;

  it('POST /v2/partners/tokens creates tokens from JSON and forms', async () => {
    const made = await partner.ok(201, 'POST', '/tokens', { label: 'Reports' });
    expect(made).toEqual({
      id: expect.any(Number),
      token: expect.stringMatching(/\S{20}/),
      creation_timestamp: TIME,
      label: 'Reports',
    });
    const second = await partner.ok(201, 'POST', '/tokens', 'label=From%20a+form');
    expect(second).toMatchObject({ label: 'From a form' });
    expect(second.token).not.toBe(made.token);
    for (const { token } of [made, second]) await kit.asPartner(partner, token).ok(200, 'GET', '');
  });

  it('GET /v2/partners/tokens returns tokens in full', async () => {
    const { id, token } = await partner.ok(201, 'POST', '/tokens', { label: 'Listed' });
    const tokens = await list();
    expect(tokens.find((one) => one.id === id)).toEqual({ id, token, creation_timestamp: TIME, label: 'Listed' });
    expect(tokens.map((one) => one.token)).toContain(partner.token);
  });

  it('POST /v2/partners/tokens requires a unique label of at least 3 characters', async () => {
    await partner.ok(201, 'POST', '/tokens', { label: 'abc' });
    for (const label of ['ab', '', 7, null, { a: 'abc' }])
      expectError(await partner.sendRequest('POST', '/tokens', { label }), 400, 'label');
    expectError(await partner.sendRequest('POST', '/tokens', {}), 400, 'label');
    expectError(await partner.sendRequest('POST', '/tokens'), 400);
    expectError(await partner.sendRequest('POST', '/tokens', { label: 'abc' }), 409);
    const atOnce = await Promise.all(
      Array.from({ length: 4 }, () => partner.sendRequest('POST', '/tokens', { label: 'Race' })),
    );
    expect(atOnce.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
    await (await newPartner()).ok(201, 'POST', '/tokens', { label: 'abc' });
  });

  it('DELETE /v2/partners/tokens/<id>: active → revoked', async () => {
    const { id, token } = await partner.ok(201, 'POST', '/tokens', { label: 'Short-lived' });
    const response = await partner.sendRequest('DELETE', `/tokens/${id}`);
    expect([response.status, response.body]).toEqual([204, '']);
    expect((await list()).map((one) => one.id)).not.toContain(id);
    expectError(await kit.asPartner(partner, token).sendRequest('GET', ''), 401);
    await partner.ok(201, 'POST', '/tokens', { label: 'Short-lived' });
  });

  it('DELETE /v2/partners/tokens/<id> rejects anything but an active token of the partner', async () => {
    const { id } = await partner.ok(201, 'POST', '/tokens', { label: 'Gone' });
    await partner.ok(204, 'DELETE', `/tokens/${id}`);
    const stranger = await newPartner();
    const theirs = await stranger.ok(201, 'POST', '/tokens', { label: 'Theirs' });
    for (const one of [id, theirs.id, 999_999_999, 'abc', '0', '-1'])
      expectError(await partner.sendRequest('DELETE', `/tokens/${one}`), 400);
    await kit.asPartner(stranger, theirs.token).ok(200, 'GET', '');
  });
});

describe('partners created by the operator', () => {
  it('POST /operator/v1/partners requires an existing referrer and an unused login', async () => {
    const input = { login: newAddress('x'), password: 'a long password', first_name: 'A', last_name: 'B' };
    expectError(
      await operator.sendRequest('POST', '/partners', { ...input, referred_by: '999999999' }),
      400,
      'referred_by',
    );
    expect(await operator.ok(201, 'POST', '/partners', input)).toEqual({ partner_id: TEXT, token: TEXT });
    expectError(await operator.sendRequest('POST', '/partners', input), 409);
  });
});
