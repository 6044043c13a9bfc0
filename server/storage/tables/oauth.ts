import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface OauthClientsTable {
  organizationId: string;
  id: string;
  name: string;
  /** Absent: the program runs where it can keep no secret. */
  secretHash: Buffer | null;
  redirectUris: string[];
  /** The most that it may ask for. */
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
  /** Tells the order in which they were given. */
  number: GeneratedAlways<number>;
  kind: OauthTokenKind;
  clientId: string;
  agentId: string;
  /** All that came of one consent. */
  familyId: string;
  scopes: string[];
  createdAt: Date;
  expiresAt: Date;
  /** A refresh token counts once. */
  usedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

/** Recent sign-in attempts of one login or network. */
export interface SignInAttemptsTable {
  id: Buffer;
  resetsAt: Date;
  refused: boolean;
}

/** Somebody who signed in with a password, kept by a cookie. */
export interface AgentSessionsTable {
  organizationId: string;
  /** Keyed hash of the cookie. */
  id: Buffer;
  agentId: string;
  createdAt: Date;
  expiresAt: Date;
  /** To the minute; absent: not since it began. */
  lastUsedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
  userAgent: Generated<string>;
  ip: Generated<string>;
}

/** A device that makes codes, as soon as it has shown one. */
export interface AgentTwoFactorTable {
  organizationId: string;
  agentId: string;
  secretSealed: Buffer;
  createdAt: Date;
  confirmedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
  lastStep: ColumnType<number | null, number | null | undefined, number | null>;
}

/** For whoever lost the device. */
export interface AgentRecoveryCodesTable {
  organizationId: string;
  /** Keyed hash of the agent and the code. */
  id: Buffer;
  agentId: string;
  usedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
}
