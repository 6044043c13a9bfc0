import type { Selectable } from 'kysely';
import type { InvitationsTable } from '#server/storage/tables/invitations.ts';
import { requireOperator } from '../../access.ts';
import { notFound } from '../../errors.ts';
import type { PlatformScope } from '../../scope.ts';
import { randomSecret } from '../../secrets.ts';

export type InvitationKind = InvitationsTable['kind'];
export type InvitationRecord = Omit<Selectable<InvitationsTable>, 'codeHash'>;

export const INVITATION_LIFETIME_MS = 14 * 24 * 3600 * 1000;

const FIELDS = ['id', 'kind', 'email', 'createdAt', 'expiresAt', 'usedAt'] as const;

/** Creates a single-use invitation. Only the hash of its code is stored. */
export const createInvitation = async (
  scope: PlatformScope,
  { kind, email }: { kind: InvitationKind; email?: string | undefined },
): Promise<InvitationRecord & { code: string }> => {
  requireOperator(scope.actor);
  const code = randomSecret();
  const createdAt = scope.now();
  const invitation = await scope.db
    .insertInto('invitations')
    .values({
      ...{ codeHash: scope.services.secrets.hash(code), kind, email: email?.toLowerCase() ?? null },
      ...{ createdAt, expiresAt: new Date(createdAt.getTime() + INVITATION_LIFETIME_MS) },
    })
    .returning(FIELDS)
    .executeTakeFirstOrThrow();
  return { ...invitation, code };
};

/** Oldest first. */
export const listInvitations = async (
  scope: PlatformScope,
  { after = 0, limit }: { after?: number | undefined; limit: number },
): Promise<{ invitations: InvitationRecord[]; next?: number }> => {
  requireOperator(scope.actor);
  const found = await scope.db
    .selectFrom('invitations')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit + 1)
    .select(FIELDS)
    .execute();
  const invitations = found.slice(0, limit);
  return { invitations, ...(found.length > limit ? { next: invitations.at(-1)!.id } : {}) };
};

/** Deletes an invitation, so that its code no longer works. */
export const deleteInvitation = async (scope: PlatformScope, id: number): Promise<void> => {
  requireOperator(scope.actor);
  const { numDeletedRows } = await scope.db.deleteFrom('invitations').where('id', '=', id).executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw notFound('Invitation');
};
