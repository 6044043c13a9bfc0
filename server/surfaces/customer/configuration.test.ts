import { beforeEach, describe, expect, it } from 'vitest';
import { setTrustedDomains } from '#server/domain/accounts/licenses/trusted-domains.ts';
import { setAgentStatus } from '#server/domain/support/agents/presence/set-status.ts';
import { setForm } from '#server/domain/support/forms/set-form.ts';
import { type SettingsChange, updateGroupSettings } from '#server/domain/support/groups/update-settings.ts';
import { phrasesFor } from '#server/domain/support/localization/phrases.ts';
import { updateGroupProperties, updateLicenseProperties } from '#server/domain/support/properties/share-properties.ts';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildAgent,
  buildCustomer,
  buildGroup,
  buildOrganization,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { buildProperty } from '#server/testing/builders/properties.ts';
import { errorResponse } from '#server/testing/http/call-customer.ts';

const test = useTestApp();
let organization: TestOrganization;
let customer: TestCustomer;

beforeEach(async () => {
  organization = await buildOrganization(test, { online: false });
  customer = await buildCustomer(organization);
  await buildGroup(organization, 2);
});

const get = async (operation: string, query: Record<string, unknown> = {}, { app } = test) => {
  const input = Object.entries({ organization_id: organization.id, ...query }).map(([name, value]) => [
    name,
    `${value}`,
  ]);
  const response = await app.inject({
    url: `/v3.5/customer/action/${operation}?${new URLSearchParams(input)}`,
    headers: { authorization: `Bearer ${customer.token}` },
  });
  return { status: response.statusCode, body: response.json(), headers: response.headers };
};

const dynamic = async (query: Record<string, unknown> = {}) => (await get('get_dynamic_configuration', query)).body;
const configuration = async (group_id = 0) => (await get('get_configuration', { group_id, version: 'any' })).body;
const change = (settings: SettingsChange, groupId = 0) => updateGroupSettings(organization.scope, groupId, settings);

describe('get_dynamic_configuration', () => {
  it('returns group 0 by default', async () => {
    expect(await get('get_dynamic_configuration')).toMatchObject({
      status: 200,
      body: {
        group_id: 0,
        organization_id: organization.id,
        client_limit_exceeded: false,
        domain_allowed: true,
        config_version: expect.stringMatching(/^[0-9a-f]{16}$/),
        localization_version: expect.stringMatching(/^[0-9a-f]{16}$/),
        language: 'en',
      },
    });
    await change({ language: 'pl' }, 2);
    const query = { group_id: 2, channel_type: 'code', test: true, url: 'https://shop.test/' };
    expect(await dynamic(query)).toMatchObject({ group_id: 2, language: 'pl' });
  });

  it.each([
    [{ group_id: 9 }, 404, 'group_not_found'],
    [{ group_id: 'two' }, 400, 'validation'],
    [{ group_id: -1 }, 400, 'validation'],
    [{ test: 'perhaps' }, 400, 'validation'],
  ])('rejects %j', async (query, status, type) => {
    expect(await get('get_dynamic_configuration', query)).toMatchObject(errorResponse(status, type));
  });

  it('requires a token', async () => {
    const url = `/v3.5/customer/action/get_dynamic_configuration?organization_id=${organization.id}`;
    expect((await test.app.inject({ url })).statusCode).toBe(401);
  });

  it('lists the groups with an agent who accepts chats', async () => {
    await buildGroup(organization, 3);
    const { login } = await buildAgent(organization, { groupIds: [2] });
    expect(await dynamic()).not.toHaveProperty('online_group_ids');
    await setAgentStatus(organization.scope, { login, status: 'accepting chats' });
    expect((await dynamic()).online_group_ids).toEqual([0, 2]);
    await organization.scope.update('agents').set({ maxChatsCount: 0 }).execute();
    expect((await dynamic()).online_group_ids, 'also when a chat would have to wait').toEqual([0, 2]);
    await setAgentStatus(organization.scope, { login, status: 'not accepting chats' });
    expect(await dynamic()).not.toHaveProperty('online_group_ids');
  });

  it('does not find groups of another account', async () => {
    const other = await buildOrganization(test);
    await buildGroup(other, 7);
    expect(await get('get_dynamic_configuration', { group_id: 7 })).toMatchObject(
      errorResponse(404, 'group_not_found'),
    );
    expect(await dynamic()).not.toHaveProperty('online_group_ids');
  });

  it.each([
    ['https://shop.example/cart?x=1', true],
    ['http://www.shop.example:8080/', true],
    ['shop.example/cart', true],
    ['https://SHOP.example', true],
    ['https://other.example/', false],
    ['https://evilshop.example/', false],
    ['https://shop.example.evil.test/', false],
    ['https://shop.example@evil.test/', false],
    ['not a page', false],
    ['', false],
  ])('returns whether %j has a trusted domain', async (url, allowed) => {
    await setTrustedDomains(organization.scope, ['*.Shop.example', 'https://shop.example/']);
    expect((await dynamic({ url })).domain_allowed).toBe(allowed);
  });

  it('trusts every page if the account has no list, and requests without a page', async () => {
    expect((await dynamic({ url: 'https://anywhere.test/' })).domain_allowed).toBe(true);
    await setTrustedDomains(organization.scope, ['shop.example']);
    expect((await dynamic()).domain_allowed).toBe(true);
  });
});

const question = { type: 'question', id: 'order', label: 'Your order?', required: false } as const;

/** Changes that affect the widget of group 0. */
const changes: [string, () => Promise<unknown>][] = [
  ['its appearance', () => change({ appearance: { theme: 'dark' } })],
  ['its buttons', () => change({ buttons: [{ id: '1', type: 'text', onlineValue: 'Talk', offlineValue: 'Write' }] })],
  ['its language', () => change({ language: 'de' })],
  ['a phrase on a button', () => change({ phrases: { en: { Chat_with_us: 'Talk to us' } } })],
  ['a form', () => setForm(organization.scope, { groupId: 0, type: 'prechat', enabled: true, fields: [question] })],
  ['whether a form is enabled', () => setForm(organization.scope, { groupId: 0, type: 'ticket', enabled: false })],
  ['trusted domains', () => setTrustedDomains(organization.scope, ['shop.example'])],
  ['properties of the account', () => updateLicenseProperties(organization.scope, { shop: { open: true } })],
  ['properties of the group', () => updateGroupProperties(organization.scope, 0, { shop: { open: true } })],
];

describe('config_version', () => {
  beforeEach(() => buildProperty(organization, 'shop', 'open'));

  it.each(changes)('changes with %s', async (_, apply) => {
    const [version, content] = [(await dynamic()).config_version, await configuration()];
    await apply();
    expect(await configuration()).not.toEqual(content);
    expect((await dynamic()).config_version).not.toBe(version);
  });

  it('stays the same after changes that do not affect the widget', async () => {
    const { config_version, localization_version } = await dynamic();
    const { owner, scope } = organization;
    await setAgentStatus(scope, { login: owner.login, status: 'accepting chats' });
    await scope.update('groups').set({ name: 'Another name' }).execute();
    await change({ appearance: { theme: 'dark' }, language: 'fr' }, 2);
    await change({ phrases: { de: { Chat_with_us: 'Schreib uns' } } });
    await change({ appearance: { position: 'right' } });
    await buildProperty(organization, 'shop', 'secret', { customer: [] });
    await updateLicenseProperties(scope, { shop: { secret: 1 } });
    expect(await dynamic({ url: 'https://shop.test/' })).toMatchObject({ config_version, localization_version });
  });

  it('returns to its previous value after a change is reverted', async () => {
    const { config_version } = await dynamic();
    await change({ appearance: { theme: 'dark' } });
    await change({ appearance: { theme: 'auto' } });
    expect((await dynamic()).config_version).toBe(config_version);
  });

  it('is the same in every process, before and after a change', async () => {
    await using other = await startTestApp({ beside: test });
    const there = async () => (await get('get_dynamic_configuration', {}, other)).body.config_version;
    expect(await there()).toBe((await dynamic()).config_version);
    await change({ appearance: { accentColor: '#abcdef' } });
    expect(await there()).toBe((await dynamic()).config_version);
  });
});

describe('get_configuration', () => {
  it('has defaults for all settings', async () => {
    expect(await configuration()).toEqual({
      buttons: [{ id: 'default', type: 'text', online_value: 'Chat with us', offline_value: 'Leave a message' }],
      prechat_form: { id: 'default_prechat', fields: expect.any(Array) },
      postchat_form: { id: 'default_postchat', fields: expect.any(Array) },
      ticket_form: { id: 'default_ticket', fields: expect.any(Array) },
      appearance: { theme: 'auto', accent_color: '#0b7460', position: 'right' },
      integrations: {},
      properties: { group: {}, license: {} },
    });
  });

  it('returns the settings, and the properties that customers may read', async () => {
    await buildProperty(organization, 'shop', 'open');
    await buildProperty(organization, 'shop', 'key', { customer: [] });
    await updateLicenseProperties(organization.scope, { shop: { open: 'daily', key: 'k' } });
    await updateGroupProperties(organization.scope, 2, { shop: { open: 'never', key: 'k' } });
    await setTrustedDomains(organization.scope, ['shop.example']);
    await setForm(organization.scope, { groupId: 2, type: 'prechat', enabled: false });
    const image = {
      id: 'a',
      type: 'image',
      onlineValue: 'https://x.test/on.png',
      offlineValue: 'https://x.test/off.png',
    };
    await change({ buttons: [image] as SettingsChange['buttons'] & object }, 2);
    const content = await configuration(2);
    expect(content).toMatchObject({
      buttons: [{ id: 'a', type: 'image', online_value: image.onlineValue, offline_value: image.offlineValue }],
      allowed_domains: ['shop.example'],
      properties: { group: { shop: { open: 'never' } }, license: { shop: { open: 'daily' } } },
    });
    expect(content).not.toHaveProperty('prechat_form');
    expect(JSON.stringify(content)).not.toContain('key');
  });

  it('may be cached by browsers if it was requested with its current version', async () => {
    const { config_version: version } = await dynamic();
    const current = await get('get_configuration', { group_id: 0, version });
    expect(current.headers['cache-control']).toBe('private, max-age=2592000, immutable');
    await change({ appearance: { theme: 'dark' } });
    const late = await get('get_configuration', { group_id: 0, version });
    expect(late).toMatchObject({ status: 200, body: { appearance: { theme: 'dark' } } });
    expect(late.headers['cache-control']).toBe('no-store');
  });

  it.each([
    [{ version: 'x' }, 400, 'validation'],
    [{ group_id: 0 }, 400, 'validation'],
    [{ group_id: 0, version: '' }, 400, 'validation'],
    [{ group_id: 9, version: 'x' }, 404, 'group_not_found'],
  ])('rejects %j', async (query, status, type) => {
    expect(await get('get_configuration', query)).toMatchObject(errorResponse(status, type));
  });
});

describe('get_localization', () => {
  const phrases = async (language: string, group_id = 0) =>
    (await get('get_localization', { group_id, language, version: 'any' })).body;

  it.each([
    ['en', 'Leave a message'],
    ['de', 'Nachricht hinterlassen'],
    ['pt-BR', expect.not.stringMatching('Leave a message')],
    ['PL', expect.not.stringMatching('Leave a message')],
    ['xx', 'Leave a message'],
    ['constructor', 'Leave a message'],
  ])('has every phrase in %j', async (language, text) => {
    const answer = await phrases(language);
    expect(Object.keys(answer)).toEqual(Object.keys(phrasesFor(language)));
    expect(answer.Leave_message).toEqual(text);
  });

  it('uses custom phrases of the group in their language', async () => {
    await change({ phrases: { de: { Leave_message: 'Schreib uns' }, en: { Leave_message: 'Write to us' } } }, 2);
    expect((await phrases('de-AT', 2)).Leave_message).toBe('Schreib uns');
    expect((await phrases('en', 2)).Leave_message).toBe('Write to us');
    expect((await phrases('fr', 2)).Leave_message).not.toBe('Write to us');
    expect((await phrases('en')).Leave_message).toBe('Leave a message');
    await change({ phrases: { en: {} } }, 2);
    expect((await phrases('en', 2)).Leave_message).toBe('Leave a message');
    expect((await phrases('de', 2)).Leave_message).toBe('Schreib uns');
  });

  it('has a version that changes with the phrases of the group’s language', async () => {
    const { localization_version: version } = await dynamic({ group_id: 2 });
    const kept = await get('get_localization', { group_id: 2, language: 'en', version });
    expect(kept.headers['cache-control']).toContain('immutable');
    const foreign = await get('get_localization', { group_id: 2, language: 'de', version });
    expect(foreign.headers['cache-control']).toBe('no-store');
    await change({ phrases: { en: { Chat_ended: 'Bye' } } }, 2);
    const later = await dynamic({ group_id: 2 });
    expect(later.localization_version).not.toBe(version);
    expect((await dynamic()).localization_version).toBe(version);
  });

  it.each([
    [{ group_id: 0, language: 'en' }, 400, 'validation'],
    [{ group_id: 0, version: 'x' }, 400, 'validation'],
    [{ language: 'en', version: 'x' }, 400, 'validation'],
    [{ group_id: 9, language: 'en', version: 'x' }, 404, 'group_not_found'],
  ])('rejects %j', async (query, status, type) => {
    expect(await get('get_localization', query)).toMatchObject(errorResponse(status, type));
  });
});
