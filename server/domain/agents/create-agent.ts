import type { Insertable } from 'kysely';
import { isUniqueViolation } from '#server/storage/failures.ts';
import type { AgentsTable, Permission } from '#server/storage/tables/agents.ts';
import type { AgentKind } from '#server/storage/tables/routing.ts';
import { requireAdministrator } from '../access.ts';
import { DomainError } from '../errors.ts';
import { ALL_AGENTS } from '../groups/online.ts';
import { hashPassword } from '../passwords.ts';
import type { OrganizationScope } from '../scope.ts';
import { randomSecret } from '../secrets.ts';
import { assertSeatLeft } from './seats.ts';

export interface NewAgent {
  login: string;
  name: string;
  password: string;
  permission: Permission;
  jobTitle?: string;
  groupIds?: number[];
}

export const NOTIFICATIONS = [
  'new_visitor',
  'incoming_chat',
  'returning_visitor',
  'queued_visitor',
  'visitor_is_typing',
  'new_goal',
] as const;

const DEFAULT_MAX_CHATS = 6;

const defaults = (now: Date) =>
  ({
    loginStatus: 'accepting chats',
    status: 'offline',
    dailySummary: true,
    notifications: JSON.stringify(Object.fromEntries(NOTIFICATIONS.map((name) => [name, true]))),
    maxChatsCount: DEFAULT_MAX_CHATS,
    lastLogoutAt: null,
    createdAt: now,
    deletedAt: null,
  }) satisfies Partial<Insertable<AgentsTable>>;

/** A bot has no password. */
export interface WrittenAgent extends Omit<NewAgent, 'password'> {
  passwordHash: string | null;
  kind?: AgentKind;
  avatar?: string | undefined;
  maxChatsCount?: number | undefined;
}

/** Inside a transaction; whoever calls this has checked who may do it. Hashing a password is slow and happened before. */
export const writeAgent = async (
  tx: OrganizationScope,
  input: WrittenAgent,
): Promise<{ login: string; apiKey: string }> => {
  const { secrets, region } = tx.services;
  const apiKey = `${region}-${randomSecret()}`;
  const login = input.login.toLowerCase();
  if (input.kind !== 'bot') await assertSeatLeft(tx);
  try {
    await tx
      .insert('agents', {
        ...defaults(tx.now()),
        id: login,
        name: input.name,
        jobTitle: input.jobTitle ?? 'Support Agent',
        permission: input.permission,
        kind: input.kind ?? 'person',
        avatar: input.avatar ?? '',
        ...(input.maxChatsCount === undefined ? {} : { maxChatsCount: input.maxChatsCount }),
        passwordHash: input.passwordHash,
        apiKeyHash: secrets.hash(apiKey),
        apiKeySealed: secrets.seal(apiKey),
      })
      .execute();
  } catch (error) {
    if (isUniqueViolation(error, 'agents_pkey')) throw new DomainError('conflict', 'An agent with this login exists');
    throw error;
  }
  const groupIds = [...new Set([ALL_AGENTS, ...(input.groupIds ?? [])])];
  await tx
    .insert(
      'agentGroups',
      groupIds.map((groupId) => ({ agentId: login, groupId })),
    )
    .execute();
  return { login, apiKey };
};

/** An agent with a fresh API key. */
export const createAgent = async (
  scope: OrganizationScope,
  { password, ...input }: NewAgent,
): Promise<{ login: string; apiKey: string }> => {
  requireAdministrator(scope.actor);
  const passwordHash = await hashPassword(password);
  return scope.transaction((tx) => writeAgent(tx, { ...input, passwordHash }));
};
