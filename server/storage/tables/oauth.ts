import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface OauthClientsTable {
  organizationId: string;
  id: string;
  name: string;
  /** Null for a public client, which cannot keep a secret. */
  secretHash: Buffer | null;
  redirectUris: string[];
  /** The scopes that it may request. */
  scopes: string[];
  createdBy: string;
  createdAt: Date;
}

export interface OauthCodesTable {
  organizationId: string;
  /** Keyed hash of the code. */
  id: Buffer;
  clientId: string;
  agentId: string;
  familyId: string;
  redirectUri: string;
  scopes: string[];
  codeChallenge: string | null;
  codeChallengeMethod: 'plain' | 'S256' | null;
  expiresAt: Date;
  usedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export type OauthTokenKind = 'access' | 'refresh';

export interface OauthTokensTable {
  organizationId: string;
  /** Keyed hash of the token. */
  id: Buffer;
  /** Orders tokens by creation. */
  number: GeneratedAlways<number>;
  kind: OauthTokenKind;
  clientId: string;
  agentId: string;
  /** All tokens of one authorization have the same family. */
  familyId: string;
  scopes: string[];
  createdAt: Date;
  expiresAt: Date;
  /** A refresh token can be used once. */
  usedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

/** Recent sign-in attempts of one login or network. */
export interface SignInAttemptsTable {
  id: Buffer;
  resetsAt: Date;
  refused: boolean;
}

/** A session of an agent who signed in with a password. */
export interface AgentSessionsTable {
  organizationId: string;
  /** Keyed hash of the cookie. */
  id: Buffer;
  agentId: string;
  createdAt: Date;
  expiresAt: Date;
  /** With a precision of one minute; null if not used since it was created. */
  lastUsedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
  userAgent: Generated<string>;
  ip: Generated<string>;
}

/** An authenticator app. It is required at sign-in once confirmed with a code. */
export interface AgentTwoFactorTable {
  organizationId: string;
  agentId: string;
  secretSealed: Buffer;
  createdAt: Date;
  confirmedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
  lastStep: ColumnType<number | null, number | null | undefined, number | null>;
}

/** One-time codes for agents who lost their authenticator app. */
export interface AgentRecoveryCodesTable {
  organizationId: string;
  /** Keyed hash of the agent and the code. */
  id: Buffer;
  agentId: string;
  usedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
}
