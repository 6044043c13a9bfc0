import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { AgentStatus } from '#server/storage/tables/agents.ts';
import { requireAdministrator } from '../access.ts';
import { invalid, notFound } from '../errors.ts';
import { ALL_AGENTS, assertGroupsExist } from '../groups/online.ts';
import { requireInPerson } from '../oauth/scopes.ts';
import { takeTurn } from '../routing/take-turn.ts';
import type { OrganizationScope, Transaction } from '../scope.ts';
import { randomSecret } from '../secrets.ts';
import { changeStatus } from './change-status.ts';
import { writeAgent } from './create-agent.ts';
import { checkMaxChats, setAgentGroups, setMaxChats } from './set-limits.ts';

export interface BotRecord {
  id: string;
  name: string;
  avatar: string;
  jobTitle: string;
  status: AgentStatus;
  maxChatsCount: number;
  /** Without 0, which everybody is in. */
  groupIds: number[];
}

export interface BotChange {
  name?: string | undefined;
  avatar?: string | undefined;
  jobTitle?: string | undefined;
  maxChatsCount?: number | undefined;
  groupIds?: number[] | undefined;
}

type Tx = Transaction<OrganizationScope>;

const checkChange = ({ avatar, maxChatsCount }: BotChange): void => {
  if (avatar && !/^https?:$/.test(URL.parse(avatar)?.protocol ?? ''))
    throw invalid('avatar', 'must be an http or https URL');
  if (maxChatsCount !== undefined) checkMaxChats(maxChatsCount);
};

const livingBots = (scope: OrganizationScope) =>
  scope.from('agents').where('agents.kind', '=', 'bot').where('agents.deletedAt', 'is', null);

const readBots = (scope: OrganizationScope, id?: string): Promise<BotRecord[]> => {
  const bots = livingBots(scope);
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

/** Under the turn, so that nobody else changes it meanwhile. */
const holdBot = async (tx: Tx, id: string) => {
  await takeTurn(tx);
  const bot = await livingBots(tx)
    .where('agents.id', '=', id.toLowerCase())
    .select(['agents.id', 'apiKeySealed'])
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!bot) throw notFound('Bot');
  return bot;
};

/** A bot is an agent that is no person: it has a token instead of a password, and takes chats when it says so. */
export const createBot = (
  scope: OrganizationScope,
  { name, groupIds = [], ...input }: BotChange & { name: string },
): Promise<{ id: string; token: string }> => {
  requireInPerson(scope.actor);
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
    const { id: login } = await holdBot(tx, id);
    const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    if (Object.keys(set).length > 0) await tx.update('agents').where('id', '=', login).set(set).execute();
    if (maxChatsCount !== undefined) await setMaxChats(tx, { login, maxChatsCount });
    if (groupIds !== undefined) await setAgentGroups(tx, { login, groupIds });
  });
};

/** Its chats go to others, and stay in the archive under its name. Its token is void at once. */
export const deleteBot = async (scope: OrganizationScope, { id: asked }: { id: string }): Promise<void> => {
  requireAdministrator(scope.actor);
  await scope.transaction(async (tx) => {
    const { id } = await holdBot(tx, asked);
    await changeStatus(tx, { agentId: id, status: 'offline', reason: 'deleted' });
    await tx.update('agents').where('id', '=', id).set({ deletedAt: tx.now() }).execute();
    await tx.remove('agentConnections').where('agentId', '=', id).execute();
    await tx.remove('chatFollowers').where('agentId', '=', id).execute();
    await tx.remove('customerFollowers').where('agentId', '=', id).execute();
    tx.emit({ type: 'credentials_changed', organizationId: tx.organizationId });
  });
};

/** The token that the bot has. */
export const readBotToken = (scope: OrganizationScope, { id }: { id: string }): Promise<string> => {
  requireInPerson(scope.actor);
  requireAdministrator(scope.actor);
  return scope.transaction(async (tx) => scope.services.secrets.unseal((await holdBot(tx, id)).apiKeySealed));
};

/** Another token; the one before is void at once. */
export const resetBotToken = (scope: OrganizationScope, { id: asked }: { id: string }): Promise<string> => {
  requireInPerson(scope.actor);
  requireAdministrator(scope.actor);
  return scope.transaction(async (tx) => {
    const { id } = await holdBot(tx, asked);
    const { secrets, region } = tx.services;
    const token = `${region}-${randomSecret()}`;
    const keys = { apiKeyHash: secrets.hash(token), apiKeySealed: secrets.seal(token) };
    await tx.update('agents').where('id', '=', id).set(keys).execute();
    tx.emit({ type: 'credentials_changed', organizationId: tx.organizationId });
    return token;
  });
};
