import { beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildPartner } from '#server/testing/builders/factories.ts';
import { callAs } from '../../testing/http/partner.ts';

const test = useTestApp();
let partner: Awaited<ReturnType<typeof buildPartner>>;

beforeEach(async () => {
  partner = await buildPartner(test);
});

const call = callAs(
  () => test,
  () => partner.token,
);

/** The current shape changes the email settings but does not return them. */
const mailSettings = () =>
  test.context.database.kysely
    .selectFrom('partners')
    .where('id', '=', partner.id)
    .select(['sendMonthlySummary', 'sendNewsletter', 'sendNotifications'])
    .executeTakeFirstOrThrow();

const changes = {
  first_name: 'Petra',
  last_name: 'van Dyk',
  contact_name: 'Desk',
  contact_email: 'desk+1@partner.test',
};

describe('the profile', () => {
  it('the profile is returned completely', async () => {
    expect(await call('GET', '')).toMatchObject({
      status: 200,
      body: {
        partner_id: String(partner.id),
        login: partner.login,
        first_name: 'Paula',
        last_name: 'Partner',
        contact_name: 'Paula Partner',
        contact_email: partner.login,
        solution_status: 'approved',
        properties: {
          sales_kit_popup_closed: false,
          pitch_deck_downloaded: false,
          tier2_popup_closed: false,
          payment_origin_popup_closed: false,
        },
      },
    });
  });

  it('the profile shows the dismissed popups', async () => {
    await test.context.database.kysely
      .updateTable('partners')
      .where('id', '=', partner.id)
      .set({ properties: JSON.stringify({ pitch_deck_downloaded: true, another: true }) })
      .execute();
    const { body } = await call('GET', '');
    expect(body.properties).toMatchObject({ pitch_deck_downloaded: true, another: true, tier2_popup_closed: false });
  });

  it('the profile is changed by JSON, without a response body', async () => {
    expect(await call('PUT', '', changes)).toMatchObject({ status: 204, body: undefined });
    expect((await call('GET', '')).body).toMatchObject(changes);
  });

  it.each([
    ['true', 'false'],
    ['1', '0'],
  ])('is changed by a form, with booleans as %s and %s', async (yes, no) => {
    const form = new URLSearchParams({ ...changes, send_newsletter: no, send_notifications: yes });
    expect((await call('PUT', '', form.toString())).status).toBe(204);
    expect((await call('GET', '')).body).toMatchObject(changes);
    expect(await mailSettings()).toMatchObject({ sendNewsletter: false, sendNotifications: true });
  });

  it.each([
    ['left out', {}],
    ['sent as null', { send_newsletter: null, send_monthly_summary: null }],
  ])('keeps the mail settings that are %s', async (_, sent) => {
    await call('PUT', '', { ...changes, send_newsletter: false });
    expect((await call('PUT', '', { ...changes, ...sent })).status).toBe(204);
    expect(await mailSettings()).toMatchObject({ sendNewsletter: false, sendMonthlySummary: true });
  });

  it('unknown and read-only fields are ignored', async () => {
    await call('PUT', '', { ...changes, login: 'x@y.test', solution_status: 'gold', partner_id: '1', color: 'red' });
    expect((await call('GET', '')).body).toMatchObject({ login: partner.login, solution_status: 'approved' });
  });

  it.each(Object.keys(changes))('cannot be changed without %s', async (field) => {
    const { [field as keyof typeof changes]: _, ...rest } = changes;
    expect(await call('PUT', '', rest)).toMatchObject({
      status: 400,
      body: { error: { type: 'validation', details: [{ field, message: 'is required' }] } },
    });
  });

  it.each([
    ['contact_email', 'desk'],
    ['contact_email', 'desk@'],
    ['contact_email', 'a@b.test\nBcc: c@d.test'],
    ['contact_email', `${'a'.repeat(250)}@b.test`],
    ['first_name', ''],
    ['first_name', '   '],
    ['last_name', 'x'.repeat(201)],
    ['contact_name', '\u0000'],
    ['send_newsletter', 'perhaps'],
    ['send_newsletter', 2],
  ])('rejects the %s %j', async (field, value) => {
    const { status, body } = await call('PUT', '', { ...changes, [field]: value });
    expect({ status, type: body.error.type }).toEqual({ status: 400, type: 'validation' });
    expect((await call('GET', '')).body.first_name).toBe('Paula');
  });

  it('names up to 200 characters of any script are accepted', async () => {
    const first_name = '👩‍🚀é'.repeat(50);
    expect((await call('PUT', '', { ...changes, first_name })).status).toBe(204);
    expect((await call('GET', '')).body.first_name).toBe(first_name);
  });

  it.each([['"text"'], ['[]'], ['{"first_name":'], ['']])('rejects the body %j', async (payload) => {
    const response = await test.app.inject({
      method: 'PUT',
      url: '/v2/partners',
      headers: { authorization: `Bearer ${partner.token}`, 'content-type': 'application/json' },
      payload,
    });
    expect(response.statusCode).toBe(400);
    expect(response.json().error.type).toBe('validation');
  });

  it('rejects a body that is neither JSON nor a form', async () => {
    const response = await test.app.inject({
      method: 'PUT',
      url: '/v2/partners',
      headers: { authorization: `Bearer ${partner.token}`, 'content-type': 'text/xml' },
      payload: '<a/>',
    });
    expect(response.statusCode).toBe(400);
  });

  it('other partners cannot access the profile', async () => {
    const other = await buildPartner(test);
    await call('PUT', '', changes);
    const asOther = callAs(
      () => test,
      () => other.token,
    );
    expect((await asOther('GET', '')).body).toMatchObject({ partner_id: String(other.id), first_name: 'Paula' });
  });
});
