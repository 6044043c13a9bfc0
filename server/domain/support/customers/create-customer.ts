import { randomUUID } from 'node:crypto';
import type { SessionFields } from '#server/storage/tables/customers.ts';
import type { OrganizationScope } from '../../scope.ts';

export interface NewCustomer {
  name?: string | undefined;
  email?: string | undefined;
  avatar?: string | undefined;
  sessionFields?: SessionFields | undefined;
  cookieSecretHash?: Buffer | undefined;
  /** Set for a separate identity in this group. */
  groupId?: number | undefined;
}

/** The caller must check permissions. */
export const createCustomer = async (scope: OrganizationScope, input: NewCustomer = {}): Promise<string> => {
  const id = randomUUID();
  await scope
    .insert('customers', {
      id,
      name: input.name ?? null,
      email: input.email ?? null,
      avatar: input.avatar ?? null,
      ...(input.sessionFields ? { sessionFields: JSON.stringify(input.sessionFields) } : {}),
      cookieSecretHash: input.cookieSecretHash ?? null,
      bannedUntil: null,
      groupId: input.groupId ?? null,
      createdAt: scope.now(),
    })
    .execute();
  return id;
};
