import { isTrustedUrl } from '../../accounts/licenses/trusted-domains.ts';
import { ALL_AGENTS } from '../../all-agents-group.ts';
import { DomainError } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { resolveLanguage } from '../localization/phrases.ts';
import { versionsOf } from './get-configuration.ts';
import { readGroupSettings } from './settings.ts';

export interface DynamicConfiguration {
  groupId: number;
  organizationId: string;
  domainAllowed: boolean;
  onlineGroupIds: number[];
  configVersion: string;
  localizationVersion: string;
  language: string;
}

/** What a widget needs on each page before anything else. */
export const getDynamicConfiguration = async (
  scope: OrganizationScope,
  { groupId = ALL_AGENTS, url }: { groupId?: number | undefined; url?: string | undefined } = {},
): Promise<DynamicConfiguration> => {
  const { organizationId } = scope;
  const { configurations, properties } = scope.services.support;
  const row = await configurations.read(organizationId, groupId);
  if (!row) throw new DomainError('group_not_found', 'Group not found');
  const inputs = [row.groupVersion, row.organizationVersion, await properties.load(organizationId)];
  const versions = await configurations.getVersions(`${organizationId} ${groupId}`, inputs, async () =>
    versionsOf(await readGroupSettings(scope, groupId)),
  );
  return {
    groupId,
    organizationId,
    domainAllowed: url === undefined || isTrustedUrl(url, row.trustedDomains),
    onlineGroupIds: row.onlineGroupIds,
    configVersion: versions.config,
    localizationVersion: versions.localization,
    language: resolveLanguage(row.language),
  };
};
