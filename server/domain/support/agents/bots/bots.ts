import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { AgentStatus } from '#server/storage/tables/agent-status.ts';
import { requireAdministrator } from '../../../access.ts';
import { newApiKey, writeAgent } from '../../../accounts/agents/create-agent.ts';
import { rejectOauthTokens } from '../../../accounts/oauth/scopes.ts';
import { ALL_AGENTS } from '../../../all-agents-group.ts';
import { definedFields } from '../../../defined-fields.ts';
import { invalid, notFound } from '../../../errors.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { assertGroupsExist } from '../../groups/online.ts';
import { checkMaxChats, setAgentGroups, setMaxChats } from '../profile/agent-routing-settings.ts';
import { lockAgent } from '../profile/lock-agent.ts';
import { retireAgent } from '../profile/retire-agent.ts';

export interface BotRecord {
  id: string;
  name: string;
  avatar: string;
  jobTitle: string;
  status: AgentStatus;
  maxChatsCount: number;
  /** Without group 0, which every agent belongs to. */
  groupIds: number[];
}

export interface BotChange {
  name?: string | undefined;
  avatar?: string | undefined;
  jobTitle?: string | undefined;
  maxChatsCount?: number | undefined;
  groupIds?: number[] | undefined;
}

const checkChange = ({ avatar, maxChatsCount }: BotChange): void => {
  if (avatar && !/^https?:$/.test(URL.parse(avatar)?.protocol ?? ''))
    throw invalid('avatar', 'must be an http or https URL');
  if (maxChatsCount !== undefined) checkMaxChats(maxChatsCount);
};

const readBots = (scope: OrganizationScope, id?: string): Promise<BotRecord[]> => {
  const bots = scope.from('agents').where('agents.kind', '=', 'bot').where('agents.deletedAt', 'is', null);
  return (id === undefined ? bots : bots.where('agents.id', '=', id))
    .orderBy('agents.createdAt')
    .orderBy('agents.id')
    .select(['agents.id', 'name', 'avatar', 'jobTitle', 'status', 'maxChatsCount'])
    .select(
      sql<number[]>`array(
        select m.group_id from agent_groups m
        where m.organization_id = agents.organization_id and m.agent_id = agents.id and m.group_id <> ${ALL_AGENTS}
        order by m.group_id)`.as('groupIds'),
    )
    .execute();
};

/** A bot is an agent that has a token instead of a password and sets its status itself. */
export const createBot = (
  scope: OrganizationScope,
  { name, groupIds = [], ...input }: BotChange & { name: string },
): Promise<{ id: string; token: string }> => {
  rejectOauthTokens(scope.actor);
  requireAdministrator(scope.actor);
  checkChange(input);
  return scope.transaction(async (tx) => {
    if (groupIds.length > 0) await assertGroupsExist(tx, groupIds);
    const { login: id, apiKey: token } = await writeAgent(tx, {
      login: randomBytes(16).toString('hex'),
      name,
      jobTitle: input.jobTitle ?? 'Bot',
      permission: 'normal',
      kind: 'bot',
      passwordHash: null,
      avatar: input.avatar,
      maxChatsCount: input.maxChatsCount,
      groupIds,
    });
    return { id, token };
  });
};

export const listBots = (scope: OrganizationScope): Promise<BotRecord[]> => {
  requireAdministrator(scope.actor);
  return readBots(scope);
};

export const getBot = async (scope: OrganizationScope, { id }: { id: string }): Promise<BotRecord> => {
  requireAdministrator(scope.actor);
  const [bot] = await readBots(scope, id.toLowerCase());
  if (!bot) throw notFound('Bot');
  return bot;
};

export const updateBot = async (
  scope: OrganizationScope,
  { id, maxChatsCount, groupIds, ...change }: BotChange & { id: string },
): Promise<void> => {
  requireAdministrator(scope.actor);
  checkChange({ maxChatsCount, ...change });
  await scope.transaction(async (tx) => {
    const { id: login } = await lockAgent(tx, id, 'bot');
    const set = definedFields(change);
    if (Object.keys(set).length > 0) await tx.update('agents').where('id', '=', login).set(set).execute();
    if (maxChatsCount !== undefined) await setMaxChats(tx, { login, maxChatsCount });
    if (groupIds !== undefined) await setAgentGroups(tx, { login, groupIds });
  });
};

export const deleteBot = async (scope: OrganizationScope, { id }: { id: string }): Promise<void> => {
  requireAdministrator(scope.actor);
  await scope.transaction(async (tx) => retireAgent(tx, (await lockAgent(tx, id, 'bot')).id));
};

export const readBotToken = (scope: OrganizationScope, { id }: { id: string }): Promise<string> => {
  rejectOauthTokens(scope.actor);
  requireAdministrator(scope.actor);
  return scope.transaction(async (tx) => scope.services.secrets.unseal((await lockAgent(tx, id, 'bot')).apiKeySealed));
};

/** Replaces the token; the previous one stops working immediately. */
export const resetBotToken = (scope: OrganizationScope, { id: requestedId }: { id: string }): Promise<string> => {
  rejectOauthTokens(scope.actor);
  requireAdministrator(scope.actor);
  return scope.transaction(async (tx) => {
    const { id } = await lockAgent(tx, requestedId, 'bot');
    const { apiKey: token, ...keys } = newApiKey(tx);
    await tx.update('agents').where('id', '=', id).set(keys).execute();
    tx.emit({ type: 'credentials_changed', organizationId: tx.organizationId });
    return token;
  });
};
