import { executorOf } from '#server/storage/scope.ts';
import { DomainError } from '../errors.ts';
import { ALL_AGENTS } from '../groups/online.ts';
import { isTrustedUrl } from '../licences/trusted-domains.ts';
import { type Language, resolveLanguage } from '../localization/phrases.ts';
import type { OrganizationScope } from '../scope.ts';
import { versionsOf } from './get-configuration.ts';
import { readGroupSettings } from './settings.ts';

export interface DynamicConfiguration {
  groupId: number;
  organizationId: string;
  domainAllowed: boolean;
  /** Where somebody takes chats now, also when all of them are at their limits. */
  onlineGroupIds: number[];
  configVersion: string;
  localizationVersion: string;
  language: Language;
}

interface Row {
  language: string;
  trustedDomains: string[];
  onlineGroupIds: number[];
  /** Whichever transaction wrote the group, and the organization: every write leaves its own number there. */
  groupMark: string;
  organizationMark: string;
}

const CURRENT = `
select g.language, o.trusted_domains as "trustedDomains", g.xmin::text as "groupMark", o.xmin::text as "organizationMark",
  array(
    select distinct m.group_id from agents a
    join agent_groups m on m.organization_id = a.organization_id and m.agent_id = a.id
    where a.organization_id = g.organization_id and a.status = 'accepting chats' and a.deleted_at is null
    order by m.group_id
  ) as "onlineGroupIds"
from groups g
join organizations o on o.id = g.organization_id
where g.organization_id = $1 and g.id = $2`;

/** What a widget has to know on each page before it does anything else. */
export const getDynamicConfiguration = async (
  scope: OrganizationScope,
  { groupId = ALL_AGENTS, url }: { groupId?: number | undefined; url?: string | undefined } = {},
): Promise<DynamicConfiguration> => {
  const { organizationId, services } = scope;
  const { rows } = await executorOf(scope.db).query<Row>({ text: CURRENT, values: [organizationId, groupId] });
  const row = rows[0];
  if (!row) throw new DomainError('group_not_found', 'Group not found');
  const marks = [row.groupMark, row.organizationMark, await services.properties.load(organizationId)];
  const versions = await services.versions.recall(`${organizationId} ${groupId}`, marks, async () =>
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
