import { Readable } from 'node:stream';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { filePath } from '#server/domain/support/files/address.ts';
import { storeUpload } from '#server/domain/support/files/store-upload.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { agentScope } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildGroup,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { PNG } from '#server/testing/builders/file-contents.ts';
import { callAsAgent } from '#server/testing/http/call-agent.ts';
import { errorResponse } from '#server/testing/http/call-customer.ts';

const SALES = 7;
const done = { status: 200, body: {} };
const wrong = errorResponse(400, 'validation');
const forbidden = errorResponse(403, 'authorization');
const missing = errorResponse(404, 'group_not_found');

const test = useTestApp();
let shop: TestOrganization;
let normal: TestAgent;
let call: (operation: string, body?: object, by?: TestAgent) => ReturnType<ReturnType<typeof callAsAgent>>;
beforeAll(async () => {
  const configure = callAsAgent(test, 'configuration');
  call = (operation, body, by = shop.owner) => configure(by, operation, body);
});
beforeEach(async () => {
  shop = await buildOrganization(test);
  normal = await buildAgent(shop);
  await buildGroup(shop, SALES);
});

/** The widget configuration as customers get it. */
const widgetOf = async () => {
  const { token } = await buildCustomer(shop);
  const ask = async (operation: string, query: Record<string, string>) => {
    const params = new URLSearchParams({ organization_id: shop.id, ...query });
    const url = `/v3.5/customer/action/${operation}?${params}`;
    return (await test.app.inject({ url, headers: { authorization: `Bearer ${token}` } })).json();
  };
  const group_id = String(SALES);
  const { config_version: config, localization_version: localization } = await ask('get_dynamic_configuration', {
    group_id,
  });
  return {
    versions: { config, localization },
    configuration: await ask('get_configuration', { group_id, version: config }),
    phrases: await ask('get_localization', { group_id, language: 'en', version: localization }),
  };
};

describe('the widget of a group', () => {
  it('is read by agents and set by administrators, and customers get it with another version', async () => {
    const before = await widgetOf();
    expect((await call('get_group_widget', { group_id: SALES }, normal)).body).toMatchObject({
      ...{ group_id: SALES, language: 'en', languages: ['de', 'en', 'es', 'fr', 'pl', 'pt'], phrases: {} },
      appearance: { theme: 'auto', accent_color: '#0b7460', position: 'right' },
      default_phrases: { Send: 'Send' },
    });
    const change = {
      group_id: SALES,
      appearance: { theme: 'dark', accent_color: '#112233', logo_url: 'https://cdn.test/logo.png' },
      phrases: { en: { Send: 'Go' } },
      buttons: [{ id: 'talk', type: 'text', online_value: 'Talk', offline_value: 'Write' }],
    };
    expect(await call('update_group_widget', change, normal)).toMatchObject(forbidden);
    expect(await call('update_group_widget', change)).toMatchObject(done);
    const after = await widgetOf();
    expect(after.versions.config).not.toBe(before.versions.config);
    expect(after.versions.localization).not.toBe(before.versions.localization);
    expect(after.configuration.appearance).toEqual({ ...change.appearance, position: 'right' });
    expect([after.configuration.buttons, after.phrases.Send]).toEqual([change.buttons, 'Go']);
    const rest = { group_id: SALES, appearance: { position: 'left', logo_url: null }, buttons: null };
    expect(await call('update_group_widget', rest)).toMatchObject(done);
    const { body } = await call('get_group_widget', { group_id: SALES });
    expect(body.appearance).toEqual({ theme: 'dark', accent_color: '#112233', position: 'left' });
    expect([body.buttons.length, body.phrases]).toEqual([1, { en: { Send: 'Go' } }]);
  });

  it('keeps its uploaded logo permanently, but not a file of another account', async () => {
    const upload = async (of: TestOrganization) => {
      const input = { name: 'logo.png', declaredType: 'image/png', content: Readable.from([PNG]) };
      return storeUpload(agentScope(of, of.owner, 'owner'), test.context.ports.files, input);
    };
    const file = await upload(shop);
    const logo = (url: string) => ({ group_id: SALES, appearance: { logo_url: url } });
    expect(await call('update_group_widget', logo(`http://parley.test${filePath(file)}`))).toMatchObject(done);
    const used = await shop.scope.from('files').where('id', '=', file.id).select('usedAt').executeTakeFirstOrThrow();
    expect(used.usedAt).not.toBeNull();
    const others = await upload(await buildOrganization(test));
    expect(await call('update_group_widget', logo(`http://parley.test${filePath(others)}`))).toMatchObject(wrong);
  });

  it('rejects invalid settings and groups of other accounts', async () => {
    for (const part of [
      { appearance: { accent_color: 'red' } },
      { appearance: { logo_url: 'javascript:alert(1)' } },
      { appearance: { theme: 'pink' } },
      { language: 'xx' },
      { phrases: { en: { Nonsense: 'x' } } },
      { phrases: { xx: {} } },
      { buttons: [{ id: 'a', type: 'image', online_value: 'no address', offline_value: 'https://x.test/' }] },
    ])
      expect(await call('update_group_widget', { group_id: SALES, ...part })).toMatchObject(wrong);
    expect(await call('update_group_widget', { group_id: 99 })).toMatchObject(missing);
    const other = await buildOrganization(test);
    expect(await call('get_group_widget', { group_id: SALES }, other.owner)).toMatchObject(missing);
  });

  it('keeps concurrent changes to different settings', async () => {
    const changes = [{ appearance: { theme: 'light' } }, { appearance: { position: 'left' } }];
    await Promise.all(changes.map((change) => call('update_group_widget', { group_id: SALES, ...change })));
    const { appearance } = (await call('get_group_widget', { group_id: SALES })).body;
    expect(appearance).toMatchObject({ theme: 'light', position: 'left' });
  });
});

describe('trusted domains', () => {
  it('are normalized to domain names, read by agents and set by administrators', async () => {
    expect((await call('get_trusted_domains', {}, normal)).body).toEqual({ trusted_domains: [] });
    const change = { trusted_domains: ['https://Shop.example/cart', '*.blog.example', 'shop.example'] };
    expect(await call('set_trusted_domains', change, normal)).toMatchObject(forbidden);
    const trusted = { trusted_domains: ['shop.example', 'blog.example'] };
    expect((await call('set_trusted_domains', change)).body).toEqual(trusted);
    expect((await call('get_trusted_domains')).body).toEqual(trusted);
    const other = await buildOrganization(test);
    expect((await call('get_trusted_domains', {}, other.owner)).body).toEqual({ trusted_domains: [] });
    expect((await widgetOf()).configuration.allowed_domains).toEqual(trusted.trusted_domains);
  });

  it('are rejected if one of them is not a domain', async () => {
    for (const trusted_domains of [['not a domain'], [''], 'shop.example', undefined])
      expect(await call('set_trusted_domains', { trusted_domains })).toMatchObject(wrong);
  });
});

describe('forms of a group', () => {
  const EMAIL = { type: 'email', id: 'email', label: 'E-mail', required: true };
  const get = async (type: string, by = normal) => (await call('get_group_form', { group_id: SALES, type }, by)).body;

  it('have default fields until others are set, and after they are reset', async () => {
    expect(await get('prechat')).toMatchObject({ enabled: true, form: { id: 'default_prechat' } });
    const fields = [
      EMAIL,
      { type: 'radio', id: 'why', label: 'Why?', required: false, options: [{ id: 'a', label: 'A' }] },
      {
        type: 'group_chooser',
        id: 'where',
        label: 'Where?',
        required: true,
        options: [{ id: 's', label: 'S', group_id: SALES }],
      },
    ];
    const change = { group_id: SALES, type: 'prechat', enabled: true, fields };
    expect(await call('set_group_form', change, normal)).toMatchObject(forbidden);
    expect(await call('set_group_form', change)).toMatchObject(done);
    const set = await get('prechat');
    expect(set.form.fields).toEqual(fields);
    expect((await widgetOf()).configuration.prechat_form).toEqual(set.form);
    await call('set_group_form', { group_id: SALES, type: 'prechat', enabled: false });
    expect(await get('prechat')).toEqual({ ...set, enabled: false });
    expect((await widgetOf()).configuration.prechat_form).toBeUndefined();
    await call('set_group_form', { group_id: SALES, type: 'prechat', enabled: true, fields: null });
    expect((await get('prechat')).form.id).toBe('default_prechat');
  });

  it('may contain ratings in post-chat forms, and headers, which have no answer', async () => {
    const fields = [
      { type: 'header', id: 'thanks', label: 'Thanks' },
      { type: 'rating', id: 'rating', label: 'How was it?', required: false, comment_label: 'Why?' },
    ];
    expect(await call('set_group_form', { group_id: SALES, type: 'postchat', enabled: true, fields })).toMatchObject(
      done,
    );
    expect((await get('postchat')).form.fields).toEqual(fields);
  });

  it('are rejected if they are invalid, or for groups of other accounts', async () => {
    const group = { type: 'group_chooser', id: 'g', label: 'G', required: true };
    const faulty = [
      [[], wrong],
      [[EMAIL, { ...EMAIL, id: 'again' }], wrong],
      [[EMAIL, { ...EMAIL, type: 'textarea' }], wrong],
      [[{ ...EMAIL, label: ' ' }], wrong],
      [[{ type: 'radio', id: 'r', label: 'R', required: true }], wrong],
      [[{ ...group, options: [{ id: 'x', label: 'X' }] }], wrong],
      [[{ ...group, options: [{ id: 'x', label: 'X', group_id: 99 }] }], missing],
      [[{ type: 'rating', id: 'r', label: 'R', required: false }], wrong],
    ] as const;
    for (const [fields, refused] of faulty)
      expect(await call('set_group_form', { group_id: SALES, type: 'prechat', enabled: true, fields })).toMatchObject(
        refused,
      );
    const other = await buildOrganization(test);
    expect(await call('get_group_form', { group_id: SALES, type: 'ticket' }, other.owner)).toMatchObject(missing);
    const theirs = { group_id: SALES, type: 'ticket', enabled: false };
    expect(await call('set_group_form', theirs, other.owner)).toMatchObject(missing);
  });

  it('keep concurrent changes to different forms', async () => {
    const off = (type: string) => call('set_group_form', { group_id: SALES, type, enabled: false });
    await Promise.all([off('prechat'), off('ticket')]);
    expect([(await get('prechat')).enabled, (await get('ticket')).enabled, (await get('postchat')).enabled]).toEqual([
      false,
      false,
      true,
    ]);
  });
});
