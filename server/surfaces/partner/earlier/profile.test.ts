import { beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildPartner } from '#server/testing/builders/factories.ts';
import { callAs } from '../../../testing/http/partner.ts';

const test = useTestApp();
let partner: Awaited<ReturnType<typeof buildPartner>>;

beforeEach(async () => {
  partner = await buildPartner(test);
});

const call = callAs(
  () => test,
  () => partner.token,
);

const changes = {
  full_name: 'Petra Maria Dyk',
  contact_name: 'Desk',
  contact_email: 'desk@partner.test',
  send_monthly_summary: false,
  send_reseller_weekly_summary: true,
  send_newsletter: false,
  send_notifications: true,
};

describe('the profile in its earlier shape', () => {
  it('the earlier shape of the profile is returned on request', async () => {
    expect((await call('GET', '?shape=earlier')).body).toEqual({
      partner_id: String(partner.id),
      login: partner.login,
      full_name: 'Paula Partner',
      contact_name: 'Paula Partner',
      contact_email: partner.login,
      websites: [],
      send_monthly_summary: true,
      send_reseller_weekly_summary: true,
      send_newsletter: true,
      send_notifications: true,
      affiliate: {
        url: `http://parley.test/products/mainchat?a=${partner.id}&utm_campaign=pp_main-chat`,
        short_url: expect.stringMatching(/^http:\/\/parley\.test\/go\/[a-z0-9]{10}$/),
        current_commission: { percent: 20, end_timestamp: '' },
      },
      reseller: { current_discount: { percent: 20, end_timestamp: '' } },
      expert: { status: 'none', marketplace_position: 0 },
    });
    expect((await call('GET', '/?shape=earlier')).body).toHaveProperty('full_name');
    expect((await call('GET', '?shape=other')).body).toHaveProperty('first_name');
    const head = await call('HEAD', '?shape=earlier');
    expect(head).toMatchObject({ status: 200, body: undefined });
  });

  it('full_name selects the earlier shape of the profile update, which answers 200', async () => {
    const websites = ['https://one.test/a?b=c', 'http://two.test'];
    expect(await call('PUT', '', { ...changes, websites })).toMatchObject({ status: 200, body: {} });
    expect((await call('GET', '?shape=earlier')).body).toMatchObject({ ...changes, websites });
    expect((await call('GET', '')).body).toMatchObject({ first_name: 'Petra Maria', last_name: 'Dyk' });
  });

  it('the profile is changed by a form', async () => {
    const { full_name, contact_name, contact_email } = changes;
    const form = new URLSearchParams({
      full_name,
      contact_name,
      contact_email,
      send_monthly_summary: '0',
      send_reseller_weekly_summary: '1',
      send_newsletter: 'false',
      send_notifications: 'true',
    });
    form.append('websites[]', 'https://one.test');
    form.append('websites[]', 'https://two.test');
    expect((await call('PUT', '', form.toString())).status).toBe(200);
    expect((await call('GET', '?shape=earlier')).body).toMatchObject({
      ...changes,
      websites: ['https://one.test', 'https://two.test'],
    });
  });

  it('websites stay unchanged unless they are sent', async () => {
    await call('PUT', '', { ...changes, websites: ['https://one.test'] });
    await call('PUT', '', changes);
    expect((await call('GET', '?shape=earlier')).body.websites).toEqual(['https://one.test']);
    await call('PUT', '', { ...changes, websites: [] });
    expect((await call('GET', '?shape=earlier')).body.websites).toEqual([]);
  });

  it('full_name selects the earlier shape also next to current fields', async () => {
    expect((await call('PUT', '', { full_name: 'A B', first_name: 'A', last_name: 'B' })).status).toBe(400);
    expect((await call('PUT', '', { ...changes, first_name: 'Other' })).status).toBe(200);
    expect((await call('GET', '')).body.first_name).toBe('Petra Maria');
  });

  it.each(Object.keys(changes).filter((name) => name !== 'full_name'))('requires %s', async (field) => {
    const { [field as keyof typeof changes]: _, ...rest } = changes;
    expect(await call('PUT', '', rest)).toMatchObject({
      status: 400,
      body: { error: { type: 'validation', details: [{ field, message: 'is required' }] } },
    });
  });

  it.each([
    ['full_name', ''],
    ['full_name', '  '],
    ['full_name', null],
    ['contact_email', 'nobody'],
    ['send_newsletter', 'perhaps'],
    ['send_newsletter', null],
    ['websites', ['javascript:alert(1)']],
    ['websites', ['ftp://one.test']],
    ['websites', ['one.test']],
    ['websites', ['http://']],
    ['websites', ['https://one.test', 'two words']],
    ['websites', Array.from({ length: 51 }, () => 'https://one.test')],
    ['websites', { a: 'https://one.test' }],
  ])('rejects the %s %j', async (field, value) => {
    const { status, body } = await call('PUT', '', { ...changes, [field]: value });
    expect({ status, type: body.error.type }).toEqual({ status: 400, type: 'validation' });
    expect(body.error.details[0].field).toMatch(new RegExp(`^${field}`));
  });

  it('the earlier shape requires a credential', async () => {
    const unauthenticated = callAs(
      () => test,
      () => undefined,
    );
    expect((await unauthenticated('PUT', '', changes)).status).toBe(401);
    expect((await unauthenticated('GET', '?shape=earlier')).status).toBe(401);
  });
});
