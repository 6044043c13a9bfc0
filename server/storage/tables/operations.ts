import type { ColumnType } from 'kysely';

type Later<T> = ColumnType<T | null, T | null | undefined, T | null>;

/** An email to an agent about the agent's account. */
export interface AgentEmailTokensTable {
  organizationId: string;
  /** Keyed hash of the secret in the link. */
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

/** A tag that is suggested to agents. Chats and tickets store tag names, not references. */
export interface TagsTable {
  organizationId: string;
  groupId: number;
  name: string;
  authorId: string;
  createdAt: Date;
}
