import type { Executor } from '#server/storage/executor.ts';
import { findAgentEmailToken } from '#server/storage/platform.ts';
import type { AgentEmailTokensTable } from '#server/storage/tables/operations.ts';
import { DomainError, invalidLink } from '../../errors.ts';
import { type OrganizationScope, openOrganizationScope, type Services, type Transaction } from '../../scope.ts';
import { randomSecret } from '../../secrets.ts';
import { isOwnerConfirmed } from '../addresses/assert-may-mail.ts';

type Tx = Transaction<OrganizationScope>;
type Kind = AgentEmailTokensTable['kind'];

const HOUR_MS = 3600 * 1000;
export const ACTIVATION_LIFETIME_MS = 7 * 24 * HOUR_MS;
const RESET_LIFETIME_MS = HOUR_MS;
export const SIGN_IN_LINK_LIFETIME_MS = HOUR_MS;

/** Limits per hour: an administrator can enter any email address, so an account must not be usable to flood it. */
const PER_ADDRESS = 3;
const PER_ORGANIZATION = 100;

/**
 * The time when the next email may be sent, or undefined if it may be sent now. Locks the organization, so that concurrent
 * requests are both counted.
 */
const nextAt = async (tx: Tx, agentId: string): Promise<number | undefined> => {
  await tx.db
    .selectFrom('organizations')
    .where('id', '=', tx.organizationId)
    .select('id')
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const sent = await tx
    .from('agentEmailTokens')
    // Sign-in links are printed in the terminal, not emailed.
    .where('kind', '<>', 'sign_in')
    .where('createdAt', '>', new Date(tx.now().getTime() - HOUR_MS))
    .orderBy('createdAt', 'desc')
    .select(['agentId', 'createdAt'])
    .limit(PER_ORGANIZATION)
    .execute();
  const toAddress = sent.filter((email) => email.agentId === agentId)[PER_ADDRESS - 1];
  const waits = [sent[PER_ORGANIZATION - 1], toAddress].flatMap((row) =>
    row ? [row.createdAt.getTime() + HOUR_MS] : [],
  );
  return waits.length > 0 ? Math.max(...waits) : undefined;
};

const insertToken = async (tx: Tx, agentId: string, kind: Kind, lifetimeMs: number): Promise<string> => {
  const secret = randomSecret();
  const createdAt = tx.now();
  const expiresAt = new Date(createdAt.getTime() + lifetimeMs);
  await tx.remove('agentEmailTokens').where('expiresAt', '<=', createdAt).execute();
  const id = tx.services.secrets.hash(secret);
  await tx.insert('agentEmailTokens', { id, agentId, kind, createdAt, expiresAt }).execute();
  return secret;
};

/** Emails a link with which an agent chooses a password. */
export const sendActivation = async (tx: Tx, login: string): Promise<void> => {
  const at = await nextAt(tx, login);
  if (at !== undefined)
    throw new DomainError('too_many_requests', 'Too many activation emails within an hour', {
      retryAfterSeconds: Math.ceil((at - tx.now().getTime()) / 1000),
    });
  const secret = await insertToken(tx, login, 'activation', ACTIVATION_LIFETIME_MS);
  tx.emit({ type: 'agent_invited', organizationId: tx.organizationId, login, secret });
};

/** Emails an agent that the account was removed. Beyond the limit no email is sent. */
export const sendRemovalNotice = async (tx: Tx, login: string): Promise<void> => {
  if (!(await isOwnerConfirmed(tx)) || (await nextAt(tx, login)) !== undefined) return;
  await insertToken(tx, login, 'removal_notice', HOUR_MS);
  tx.emit({ type: 'agent_dismissed', organizationId: tx.organizationId, login });
};

/** Emails a link with which an agent chooses a new password. Beyond the limit no email is sent. */
export const sendReset = async (tx: Tx, login: string): Promise<void> => {
  if ((await nextAt(tx, login)) !== undefined) return;
  const secret = await insertToken(tx, login, 'reset', RESET_LIFETIME_MS);
  tx.emit({ type: 'password_reset_requested', organizationId: tx.organizationId, login, secret });
};

/** Creates a single-use sign-in link, which is printed in the operator's terminal and never emailed. */
export const createSignInLink = (scope: OrganizationScope, { login }: { login: string }): Promise<string> =>
  scope.transaction((tx) => insertToken(tx, login, 'sign_in', SIGN_IN_LINK_LIFETIME_MS));

/** Finds the organization that issued the token. */
export const openEmailToken = async (executor: Executor, services: Services, secret: string) => {
  const id = services.secrets.hash(secret);
  const owner = await findAgentEmailToken(executor, id);
  if (!owner) throw invalidLink();
  return { id, scope: openOrganizationScope(services, { kind: 'system' }, owner.organizationId) };
};

/** An unused, unexpired token and its agent. */
export const validEmailTokens = (scope: OrganizationScope, id: Buffer, kind: Kind) =>
  scope
    .from('agentEmailTokens')
    .innerJoin('agents', (join) =>
      join
        .onRef('agents.organizationId', '=', 'agentEmailTokens.organizationId')
        .onRef('agents.id', '=', 'agentEmailTokens.agentId'),
    )
    .where('agentEmailTokens.id', '=', id)
    .where('agentEmailTokens.kind', '=', kind)
    .where('agentEmailTokens.usedAt', 'is', null)
    .where('agentEmailTokens.expiresAt', '>', scope.now())
    .where('agents.deletedAt', 'is', null)
    .select(['agents.id as login', 'agents.passwordHash']);

/**
 * Marks the token as used. Of two concurrent requests only one succeeds. A mailed token proves that the agent receives
 * mail at the address; a sign-in link is printed instead.
 */
export const consumeEmailToken = async (tx: Tx, id: Buffer, kind: Kind) => {
  const found = await validEmailTokens(tx, id, kind).forNoKeyUpdate().executeTakeFirst();
  if (!found) throw invalidLink();
  const now = tx.now();
  await tx.update('agentEmailTokens').where('id', '=', id).set({ usedAt: now }).execute();
  if (kind !== 'sign_in')
    await tx
      .update('agents')
      .where('id', '=', found.login)
      .where('addressConfirmedAt', 'is', null)
      .set({ addressConfirmedAt: now })
      .execute();
  return found;
};

/** Revokes earlier links when the password changes or the agent is removed. */
export const revokeEmailTokens = async (tx: Tx, login: string): Promise<void> => {
  await tx
    .update('agentEmailTokens')
    .where('agentId', '=', login)
    .where('usedAt', 'is', null)
    .set({ usedAt: tx.now() })
    .execute();
};
