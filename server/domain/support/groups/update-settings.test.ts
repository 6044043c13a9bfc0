import { beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';
import type { AgentActor } from '../../access.ts';
import { setTrustedDomains } from '../../accounts/licenses/trusted-domains.ts';
import { openOrganizationScope } from '../../scope.ts';
import { setForm } from '../forms/set-form.ts';
import { type SettingsChange, updateGroupSettings } from './update-settings.ts';

const test = useTestApp();
let organization: TestOrganization;

beforeAll(async () => {
  organization = await buildOrganization(test, { online: false });
});

const change = (settings: SettingsChange, groupId = 0) => updateGroupSettings(organization.scope, groupId, settings);

describe('settings of a group', () => {
  it.each<[string, SettingsChange]>([
    ['language', { language: 'xx' }],
    ['appearance.accent_color', { appearance: { accentColor: 'red' } }],
    [
      'buttons',
      { buttons: Array.from({ length: 2 }, () => ({ id: 'a', type: 'text', onlineValue: 'x', offlineValue: 'x' })) },
    ],
    [
      'buttons.0.online_value',
      { buttons: [{ id: 'a', type: 'image', onlineValue: 'javascript:x', offlineValue: 'https://x.test/' }] },
    ],
    ['buttons.0.offline_value', { buttons: [{ id: 'a', type: 'text', onlineValue: 'x', offlineValue: ' ' }] }],
    ['phrases.xx', { phrases: { xx: {} } }],
    ['phrases.en.No_such', { phrases: { en: { No_such: 'x' } } }],
    ['phrases.en.Name', { phrases: { en: { Name: 'x'.repeat(1001) } } }],
  ])('are rejected with an invalid %s', async (field, settings) => {
    await expect(change(settings)).rejects.toMatchObject({ code: 'validation', details: { fields: [{ field }] } });
  });

  it('can be changed by administrators only', async () => {
    const agent: AgentActor = { kind: 'agent', id: organization.owner.login, permission: 'normal', groupIds: [0] };
    const scope = openOrganizationScope(test.context.services, agent, organization.id);
    const form = { groupId: 0, type: 'prechat', enabled: false } as const;
    for (const setting of [updateGroupSettings(scope, 0, {}), setForm(scope, form), setTrustedDomains(scope, [])])
      await expect(setting).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('cannot be set for groups that do not exist', async () => {
    await expect(change({}, 9)).rejects.toMatchObject({ code: 'group_not_found' });
    await expect(setTrustedDomains(organization.scope, ['a b'])).rejects.toMatchObject({ code: 'validation' });
  });
});
