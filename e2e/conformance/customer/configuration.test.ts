import { afterAll, describe, expect, it } from 'vitest';
import { expectError } from './call.ts';
import { itWithDatabase, newOrganization, openTarget } from './index.ts';

const target = await openTarget();
afterAll(target.close);
const organization = await newOrganization(target);
const customer = await organization.customer();

const dynamic = () => customer.ok('get_dynamic_configuration');

describe('get_dynamic_configuration', () => {
  it('get_dynamic_configuration describes the default group when no group is given and lists no online groups', async () => {
    expect(await dynamic()).toEqual({
      group_id: 0,
      organization_id: organization.id,
      client_limit_exceeded: false,
      domain_allowed: true,
      config_version: expect.stringMatching(/./),
      localization_version: expect.stringMatching(/./),
      language: 'en',
    });
  });

  it.each<[string, object]>([
    ['group_id', { group_id: 0 }],
    ['url', { url: 'https://shop.test/cart?x=1' }],
    ['channel_type', { channel_type: 'code' }],
    ['test', { test: true }],
    ['test as a number', { test: 1 }],
  ])('get_dynamic_configuration accepts %s', async (_, query) => {
    expect(await customer.ok('get_dynamic_configuration', query)).toMatchObject({ group_id: 0 });
  });

  it('get_dynamic_configuration ignores a body that repeats the parameters', async () => {
    // fetch cannot send a body with GET, so this uses a raw request.
    const { request } = await import('node:http');
    const url = `${target.url}/v3.5/customer/action/get_dynamic_configuration?organization_id=${organization.id}&group_id=0`;
    const body = JSON.stringify({ group_id: 0 });
    const status = await new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${customer.token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      };
      request(url, { method: 'GET', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end(body);
    });
    expect(status).toBe(200);
  });

  it('get_dynamic_configuration rejects unknown groups', async () => {
    expectError(await customer.call('get_dynamic_configuration', { group_id: 987 }), 'group_not_found');
    expectError(await customer.call('get_dynamic_configuration', { group_id: 'all' }), 'validation');
  });

  itWithDatabase(target)('get_dynamic_configuration lists the online groups', async () => {
    const staffed = await newOrganization(target, { online: true });
    const answer = await (await staffed.customer()).ok('get_dynamic_configuration');
    expect(answer.online_group_ids).toEqual([0]);
  });

  itWithDatabase(target)('get_dynamic_configuration reports whether the page is on a trusted domain', async () => {
    const { id, customer: newCustomer } = await newOrganization(target);
    await target.runSql!(`update organizations set trusted_domains = '{shop.test}' where id = $1`, [id]);
    const one = await newCustomer();
    const allowed = async (url: string) => (await one.ok('get_dynamic_configuration', { url })).domain_allowed;
    expect(await allowed('https://shop.test/')).toBe(true);
    expect(await allowed('https://thief.test/')).toBe(false);
    expect(await allowed('https://shop.test.thief.test/')).toBe(false);
  });

  it('get_dynamic_configuration returns the same versions until something changes', async () => {
    expect(await dynamic()).toEqual(await dynamic());
  });
});

describe('get_configuration', () => {
  it('get_configuration returns the configuration of the widget', async () => {
    const { config_version: version } = await dynamic();
    const answer = await customer.ok('get_configuration', { group_id: 0, version });
    expect(answer).toMatchObject({
      buttons: expect.any(Array),
      integrations: expect.any(Object),
      properties: { group: expect.any(Object), license: expect.any(Object) },
    });
    for (const button of answer.buttons) {
      expect(button).toEqual({
        id: expect.any(String),
        type: expect.stringMatching(/^(image|text)$/),
        online_value: expect.any(String),
        offline_value: expect.any(String),
      });
    }
  });

  it.each(['group_id', 'version'])('get_configuration requires %s', async (field) => {
    const query = { group_id: 0, version: (await dynamic()).config_version, [field]: undefined };
    expectError(await customer.call('get_configuration', query), 'validation');
  });

  it('get_configuration rejects unknown groups', async () => {
    const { config_version: version } = await dynamic();
    expectError(await customer.call('get_configuration', { group_id: 987, version }), 'group_not_found');
  });
});

describe('get_localization', () => {
  /** Plural forms depend on the language: `New_messages_few` exists only in Polish. */
  const baseKeys = (phrases: object): Set<string> =>
    new Set(Object.keys(phrases).map((key) => key.replace(/_(zero|one|two|few|many|other)$/, '')));
  const phrases = async (language: string) => {
    const { localization_version: version } = await dynamic();
    return customer.ok('get_localization', { group_id: 0, language, version });
  };

  it.each(['en', 'de', 'es', 'fr', 'pl', 'pt'])('get_localization returns phrases by key in %s', async (language) => {
    const answer = await phrases(language);
    expect(Object.keys(answer).length).toBeGreaterThan(10);
    for (const text of Object.values(answer)) expect(text).toEqual(expect.any(String));
    expect(answer).toHaveProperty('Agents_not_available');
    const english = await phrases('en');
    expect(baseKeys(answer)).toEqual(baseKeys(english));
    if (language !== 'en') expect(answer.Agents_not_available).not.toBe(english.Agents_not_available);
  });

  it('get_localization falls back from a region to its language and from an unknown language to English', async () => {
    expect(await phrases('de-AT')).toEqual(await phrases('de'));
    expect(await phrases('tlh')).toEqual(await phrases('en'));
  });

  it.each(['group_id', 'language', 'version'])('get_localization requires %s', async (field) => {
    const { localization_version: version } = await dynamic();
    const query = { group_id: 0, language: 'en', version, [field]: undefined };
    expectError(await customer.call('get_localization', query), 'validation');
  });
});
