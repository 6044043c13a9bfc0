import type { Executor } from '#server/storage/executor.ts';
import { findPasswords, type PasswordRow } from '#server/storage/platform.ts';
import type { Browser } from '../../../access.ts';
import { consumeEmailToken, noSuchLink, openEmailToken } from '../../../accounts/agents/email-tokens.ts';
import { DomainError } from '../../../errors.ts';
import { isUuid } from '../../../ids.ts';
import { hashPassword, verifyPassword } from '../../../passwords.ts';
import { openOrganizationScope, type Services } from '../../../scope.ts';
import { randomSecret } from '../../../secrets.ts';
import { hasTwoFactor } from '../presence/who-is-here.ts';
import { type StartedSession, startSession } from './sessions.ts';
import { spendCode } from './two-factor.ts';

/** One address works for a few organizations at most; each password costs time to check. */
export const MAX_ACCOUNTS = 5;
export const TICKET_SECONDS = 300;

/** Checked when nobody has this login, so that the time tells nothing. */
let nobody: Promise<string> | undefined;

export interface SignIn {
  login: string;
  password: string;
  /** For who works for several with one password. */
  organizationId?: string | undefined;
  browser?: Browser | undefined;
}

/** Who showed its password and has to show a code of its device. */
export interface SecondStep {
  ticket: string;
}

const textOf = (claim: string, { passwordHash }: PasswordRow): string => `second step ${claim} ${passwordHash}`;

/** Good for a few minutes, and void as soon as the password is another. */
const writeTicket = ({ secrets, clock }: Services, account: PasswordRow): string => {
  const until = clock.now().getTime() + TICKET_SECONDS * 1000;
  const claim = Buffer.from(JSON.stringify([account.organizationId, account.login, until])).toString('base64url');
  return `${claim}.${secrets.sign(textOf(claim, account))}`;
};

const readClaim = (claim: string): [organizationId: string, login: string, until: number] | undefined => {
  try {
    const [organizationId, login, until] = JSON.parse(Buffer.from(claim, 'base64url').toString());
    return isUuid(organizationId) && typeof login === 'string' ? [organizationId, login, Number(until)] : undefined;
  } catch {
    return undefined;
  }
};

/** Whose ticket it is. */
export const readTicket = async (executor: Executor, services: Services, ticket: string): Promise<PasswordRow> => {
  const [claim = '', signature = ''] = ticket.split('.');
  const [organizationId, login, until] = readClaim(claim) ?? [];
  const [account] = login === undefined ? [] : await findPasswords(executor, { login, organizationId }, 1);
  const isGood = account && services.secrets.isSigned(textOf(claim, account), signature);
  if (!isGood || until! <= services.clock.now().getTime())
    throw new DomainError('authentication', 'This took too long: sign in again');
  return account;
};

/** Lets somebody in whose password, or whose link, was right, unless a device has to be asked as well. */
export const admit = async (
  services: Services,
  account: PasswordRow,
  browser: Browser | undefined,
): Promise<StartedSession | SecondStep> => {
  const { login, organizationId } = account;
  const scope = openOrganizationScope(services, { kind: 'system' }, organizationId);
  if (await hasTwoFactor(scope, login)) return { ticket: writeTicket(services, account) };
  return startSession(scope, { login, browser });
};

/** A wrong login and a wrong password are refused alike. */
export const signIn = async (
  executor: Executor,
  services: Services,
  { login, password, organizationId, browser }: SignIn,
): Promise<StartedSession | SecondStep> => {
  const meant = { login: login.trim().toLowerCase(), organizationId };
  const isNowhere = organizationId !== undefined && !isUuid(organizationId);
  const known = isNowhere ? [] : await findPasswords(executor, meant, MAX_ACCOUNTS);
  if (known.length === 0) {
    nobody ??= hashPassword(randomSecret());
    await verifyPassword(password, await nobody);
  }
  for (const account of known)
    if (await verifyPassword(password, account.passwordHash)) return admit(services, account, browser);
  throw new DomainError('authentication', 'The login or the password is wrong');
};

/** The second step, with a code of the device or one from paper. Whoever calls this has read the ticket and counted the try. */
export const signInWithCode = (
  services: Services,
  { login, organizationId }: PasswordRow,
  { code, browser }: { code: string; browser?: Browser | undefined },
): Promise<StartedSession> =>
  openOrganizationScope(services, { kind: 'system' }, organizationId).transaction(async (tx) => {
    if (!(await spendCode(tx, login, code)))
      throw new DomainError('authentication', 'The code is wrong, or was used already');
    return startSession(tx, { login, browser });
  });

/** By a link that was written for whoever holds it, once. Where a device is asked for, the link does not replace it. */
export const signInWithLink = async (
  executor: Executor,
  services: Services,
  { secret, browser }: { secret: string; browser?: Browser | undefined },
): Promise<StartedSession | SecondStep> => {
  const { id, scope } = await openEmailToken(executor, services, secret);
  const { login, passwordHash } = await scope.transaction((tx) => consumeEmailToken(tx, id, 'entry'));
  // Whoever has no password yet has to choose one by the mail that it got.
  if (passwordHash === null) throw noSuchLink();
  return admit(services, { organizationId: scope.organizationId, login, passwordHash }, browser);
};
