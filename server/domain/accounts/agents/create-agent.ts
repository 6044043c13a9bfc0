import type { Insertable } from 'kysely';
import type { LoginStatus } from '#server/storage/tables/agent-status.ts';
import type { AgentsTable, Notifications, Permission } from '#server/storage/tables/agents.ts';
import type { AgentKind } from '#server/storage/tables/routing.ts';
import { requireAdministrator } from '../../access.ts';
import { ALL_AGENTS } from '../../all-agents-group.ts';
import { DomainError } from '../../errors.ts';
import { hashNewPassword } from '../../passwords.ts';
import type { OrganizationScope } from '../../scope.ts';
import { randomSecret } from '../../secrets.ts';
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

const allNotifications = (): Notifications => Object.fromEntries(NOTIFICATIONS.map((name) => [name, true]));

/** Resets the state of a deleted agent who had the same login. */
const fresh = (now: Date) =>
  ({
    status: 'offline',
    lastLogoutAt: null,
    away: false,
    disconnectedAt: null,
    timezone: null,
    workSchedule: null,
    onShift: null,
    shiftEndsAt: null,
    createdAt: now,
    deletedAt: null,
  }) satisfies Partial<Insertable<AgentsTable>>;

/** A new API key and what is stored of it. */
export const newApiKey = ({ services: { installation, secrets } }: OrganizationScope) => {
  const apiKey = `${installation.region}-${randomSecret()}`;
  return { apiKey, apiKeyHash: secrets.hash(apiKey), apiKeySealed: secrets.seal(apiKey) };
};

/** Bots have no password. */
export interface WrittenAgent extends Omit<NewAgent, 'password'> {
  passwordHash: string | null;
  kind?: AgentKind;
  /** The operator vouches for the address. */
  isConfirmed?: boolean;
  avatar?: string | undefined;
  maxChatsCount?: number | undefined;
  loginStatus?: LoginStatus | undefined;
  dailySummary?: boolean | undefined;
  notifications?: Notifications | undefined;
}

const toRow = (now: Date, input: WrittenAgent) => ({
  ...fresh(now),
  name: input.name,
  jobTitle: input.jobTitle ?? 'Support Agent',
  permission: input.permission,
  kind: input.kind ?? 'person',
  avatar: input.avatar ?? '',
  loginStatus: input.loginStatus ?? 'accepting chats',
  dailySummary: input.dailySummary ?? true,
  notifications: JSON.stringify(input.notifications ?? allNotifications()),
  maxChatsCount: input.maxChatsCount ?? DEFAULT_MAX_CHATS,
  passwordHash: input.passwordHash,
  addressConfirmedAt: input.isConfirmed ? now : null,
});

/**
 * Creates an agent, or restores a deleted one with the same login. Callers run it in a transaction, check the permission and hash
 * the password before the transaction, because hashing is slow.
 */
export const writeAgent = async (
  tx: OrganizationScope,
  input: WrittenAgent,
): Promise<{ login: string; apiKey: string }> => {
  const { apiKey, ...keys } = newApiKey(tx);
  const login = input.login.toLowerCase();
  if (input.kind !== 'bot') await assertSeatLeft(tx);
  const row = { ...toRow(tx.now(), input), ...keys };
  const written = await tx
    .insert('agents', { id: login, ...row })
    .onConflict((conflict) =>
      conflict.columns(['organizationId', 'id']).doUpdateSet(row).where('agents.deletedAt', 'is not', null),
    )
    .returning('agents.id')
    .executeTakeFirst();
  if (!written) throw new DomainError('conflict', 'An agent with this login already exists');
  const groupIds = [...new Set([ALL_AGENTS, ...(input.groupIds ?? [])])];
  await tx
    .insert(
      'agentGroups',
      groupIds.map((groupId) => ({ agentId: login, groupId })),
    )
    .execute();
  return { login, apiKey };
};

/** Creates an agent with a new API key. */
export const createAgent = async (
  scope: OrganizationScope,
  { password, ...input }: NewAgent,
): Promise<{ login: string; apiKey: string }> => {
  requireAdministrator(scope.actor);
  const passwordHash = await hashNewPassword(password, [input.login, input.name]);
  return scope.transaction((tx) => writeAgent(tx, { ...input, passwordHash }));
};
