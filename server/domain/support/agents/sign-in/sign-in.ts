import type { Executor } from '#server/storage/executor.ts';
import { findPasswords, type PasswordRow } from '#server/storage/platform.ts';
import type { Browser } from '../../../access.ts';
import { consumeEmailToken, openEmailToken } from '../../../accounts/agents/email-tokens.ts';
import { DomainError, invalidLink } from '../../../errors.ts';
import { isUuid } from '../../../ids.ts';
import { hashPassword, verifyPassword } from '../../../passwords.ts';
import { openOrganizationScope, type Services } from '../../../scope.ts';
import { randomSecret } from '../../../secrets.ts';
import { hasTwoFactor } from '../profile/get-current-agent.ts';
import { type StartedSession, startSession } from './sessions.ts';
import { consumeCode } from './two-factor.ts';

/** One address rarely belongs to more organizations, and each password check is slow. */
const MAX_ACCOUNTS = 10;
export const TICKET_SECONDS = 300;

/** Checked for unknown logins, so that response times do not reveal whether a login exists. */
let dummyHash: Promise<string> | undefined;

export interface SignIn {
  login: string;
  password: string;
  /** Selects the organization for agents of several with the same password. */
  organizationId?: string | undefined;
}

type Account = Pick<PasswordRow, 'organizationId' | 'login' | 'passwordHash'>;

/** The password was correct, and a two-factor code is required. */
export interface SecondStep {
  ticket: string;
}

const signedText = (claim: string, { passwordHash }: Pick<PasswordRow, 'passwordHash'>): string =>
  `second step ${claim} ${passwordHash}`;

/** Valid for a few minutes and only until the password changes. */
const writeTicket = ({ secrets, clock }: Services, account: Account): string => {
  const until = clock.now().getTime() + TICKET_SECONDS * 1000;
  const claim = Buffer.from(JSON.stringify([account.organizationId, account.login, until])).toString('base64url');
  return `${claim}.${secrets.sign(signedText(claim, account))}`;
};

const readClaim = (claim: string): [organizationId: string, login: string, until: number] | undefined => {
  try {
    const [organizationId, login, until] = JSON.parse(Buffer.from(claim, 'base64url').toString());
    return isUuid(organizationId) && typeof login === 'string' ? [organizationId, login, Number(until)] : undefined;
  } catch {
    return undefined;
  }
};

/** Returns the account of a valid ticket. */
export const readTicket = async (executor: Executor, services: Services, ticket: string): Promise<PasswordRow> => {
  const [claim = '', signature = ''] = ticket.split('.');
  const [organizationId, login, until] = readClaim(claim) ?? [];
  const [account] = login === undefined ? [] : await findPasswords(executor, { login, organizationId }, 1);
  const isValid = account && services.secrets.isSigned(signedText(claim, account), signature);
  if (!isValid || until! <= services.clock.now().getTime())
    throw new DomainError('authentication', 'The sign-in has expired. Sign in again');
  return account;
};

/** Starts a session after a correct password or link, unless a two-factor code is required. */
export const completeSignIn = async (
  services: Services,
  account: Account,
  browser: Browser | undefined,
): Promise<StartedSession | SecondStep> => {
  const { login, organizationId } = account;
  const scope = openOrganizationScope(services, { kind: 'system' }, organizationId);
  if (await hasTwoFactor(scope, login)) return { ticket: writeTicket(services, account) };
  return startSession(scope, { login, browser });
};

/**
 * The accounts whose login and password match, those with a confirmed address first. There are several for people who
 * use the same password in several organizations. Wrong logins and wrong passwords get the same error.
 */
export const checkPassword = async (
  executor: Executor,
  { login, password, organizationId }: SignIn,
): Promise<[PasswordRow, ...PasswordRow[]]> => {
  const criteria = { login: login.trim().toLowerCase(), organizationId };
  const isUnknownOrganization = organizationId !== undefined && !isUuid(organizationId);
  const accounts = isUnknownOrganization ? [] : await findPasswords(executor, criteria, MAX_ACCOUNTS);
  if (accounts.length === 0) {
    dummyHash ??= hashPassword(randomSecret());
    await verifyPassword(password, await dummyHash);
  }
  const matching: PasswordRow[] = [];
  for (const account of accounts) if (await verifyPassword(password, account.passwordHash)) matching.push(account);
  const [first, ...others] = matching;
  if (!first) throw new DomainError('authentication', 'The login or the password is wrong');
  return [first, ...others];
};

/**
 * The second step, with a two-factor code or a recovery code. The caller has read the ticket and counted the attempt.
 */
export const signInWithCode = (
  services: Services,
  { login, organizationId }: PasswordRow,
  { code, browser }: { code: string; browser?: Browser | undefined },
): Promise<StartedSession> =>
  openOrganizationScope(services, { kind: 'system' }, organizationId).transaction(async (tx) => {
    if (!(await consumeCode(tx, login, code)))
      throw new DomainError('authentication', 'The code is incorrect or has already been used');
    return startSession(tx, { login, browser });
  });

/** Signs in with a single-use link. It does not replace a two-factor code. */
export const signInWithLink = async (
  executor: Executor,
  services: Services,
  { secret, browser }: { secret: string; browser?: Browser | undefined },
): Promise<StartedSession | SecondStep> => {
  const { id, scope } = await openEmailToken(executor, services, secret);
  const { login, passwordHash } = await scope.transaction((tx) => consumeEmailToken(tx, id, 'sign_in'));
  // Agents without a password must first choose one with the activation link.
  if (passwordHash === null) throw invalidLink();
  return completeSignIn(services, { organizationId: scope.organizationId, login, passwordHash }, browser);
};
