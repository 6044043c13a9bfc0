import type { ColumnType } from 'kysely';

type Later<T> = ColumnType<T | null, T | null | undefined, T | null>;

/** A mail to an agent about its own account. */
export interface AgentEmailTokensTable {
  organizationId: string;
  /** Keyed hash of the secret in its link. */
  id: Buffer;
  agentId: string;
  kind: 'activation' | 'removal_notice' | 'reset' | 'sign_in';
  createdAt: Date;
  expiresAt: Date;
  usedAt: Later<Date>;
}

export interface CannedResponsesTable {
  organizationId: string;
  id: number;
  groupId: number;
  text: string;
  tags: string[];
  createdBy: string;
  createdAt: Date;
  modifiedBy: Later<string>;
  modifiedAt: Later<Date>;
  deletedAt: Later<Date>;
}

/** A tag that agents are offered; chats and tickets keep the words themselves. */
export interface TagsTable {
  organizationId: string;
  groupId: number;
  name: string;
  authorId: string;
  createdAt: Date;
}
