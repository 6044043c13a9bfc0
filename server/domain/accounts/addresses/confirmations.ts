import { randomInt } from 'node:crypto';
import { lockInTransaction } from '#server/storage/advisory-locks.ts';
import type { Executor } from '#server/storage/executor.ts';
import {
  findBlockingConfirmations,
  findConfirmationOwner,
  findUnconfirmedAccounts,
} from '#server/storage/platform-addresses.ts';
import { DomainError, invalidLink } from '../../errors.ts';
import { type BaseScope, type Emitter, openPlatformScope, type Services } from '../../scope.ts';
import { randomSecret } from '../../secrets.ts';
import type { AddressClaim } from './records.ts';

const HOUR_MS = 3600 * 1000;
export const CONFIRMATION_LIFETIME_MS = 7 * 24 * HOUR_MS;
/** Codes are short enough to type, so they must not be valid for long. */
const CODE_LIFETIME_MS = 24 * HOUR_MS;
const CODE_DIGITS = 8;

/** Hourly limits, because any address can be entered. The first counts the mails of all accounts to an address. */
const PER_ADDRESS = 3;
const PER_OWNER = 200;
/** Of accounts that share one login. */
const MAX_ACCOUNTS = 5;

const newCode = (): string => String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');

/** A code identifies its claim only together with the owner. */
const idOf = ({ services }: BaseScope, { kind, ownerId }: Pick<AddressClaim, 'kind' | 'ownerId'>, secret: string) =>
  services.secrets.hash(kind === 'support_address' ? `address code ${ownerId} ${secret}` : secret);

const secondsUntilAllowed = async (tx: BaseScope, { address, ownerId }: AddressClaim): Promise<number | undefined> => {
  const now = tx.now().getTime();
  const limits = { address, ownerId, since: new Date(now - HOUR_MS), perAddress: PER_ADDRESS, perOwner: PER_OWNER };
  const blocking = await findBlockingConfirmations(tx.executor, limits);
  if (blocking.length === 0) return undefined;
  return Math.ceil((Math.max(...blocking.map((at) => at.getTime())) + HOUR_MS - now) / 1000);
};

/**
 * Stores a claim and returns the secret to mail: a code for support addresses, which is entered in the console, and the
 * secret of a link otherwise. Throws when too many mails went to the address or from the owner.
 */
export const createConfirmation = async (tx: BaseScope & Emitter, claim: AddressClaim): Promise<string> => {
  await lockInTransaction(tx.executor, 'mailedAddress', claim.address.toLowerCase());
  const retryAfterSeconds = await secondsUntilAllowed(tx, claim);
  if (retryAfterSeconds !== undefined)
    throw new DomainError('too_many_requests', 'Too many confirmation emails were sent', { retryAfterSeconds });
  const isCode = claim.kind === 'support_address';
  const secret = isCode ? newCode() : randomSecret();
  const createdAt = tx.now();
  const expiresAt = new Date(createdAt.getTime() + (isCode ? CODE_LIFETIME_MS : CONFIRMATION_LIFETIME_MS));
  const { ownerId } = claim;
  await tx.db
    .deleteFrom('addressConfirmations')
    .where('ownerId', '=', ownerId)
    .where('expiresAt', '<=', createdAt)
    .execute();
  const row = { ...claim, id: idOf(tx, claim, secret), createdAt, expiresAt };
  await tx.db.insertInto('addressConfirmations').values(row).execute();
  return secret;
};

/** Emails a link or code that confirms the address. */
export const mailConfirmation = async (tx: BaseScope & Emitter, claim: AddressClaim): Promise<void> => {
  const secret = await createConfirmation(tx, claim);
  const { kind, ownerId, address } = claim;
  tx.emit({ type: 'address_confirmation_requested', kind, ownerId, address, secret });
};

/** For accounts that anyone can create: the account is created also if no further mail may be sent to its address. */
export const tryCreateConfirmation = (tx: BaseScope & Emitter, claim: AddressClaim): Promise<string | undefined> =>
  createConfirmation(tx, claim).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'too_many_requests') return undefined;
    throw error;
  });

/** Marks the claim as confirmed. Of concurrent requests only one succeeds. */
const consume = async (tx: BaseScope, ownerId: string, id: Buffer): Promise<AddressClaim | undefined> => {
  const now = tx.now();
  const found = await tx.db
    .updateTable('addressConfirmations')
    .where('ownerId', '=', ownerId)
    .where('id', '=', id)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .set({ usedAt: now })
    .returning(['kind', 'ownerId', 'subjectId', 'address'])
    .executeTakeFirst();
  return found;
};

/** The address that a mailed code confirms; undefined if the code is wrong. */
export const consumeAddressCode = async (
  tx: BaseScope & Emitter,
  ownerId: string,
  code: string,
): Promise<string | undefined> =>
  (await consume(tx, ownerId, idOf(tx, { kind: 'support_address', ownerId }, code)))?.address;

/** Confirms the address to which the link was mailed. */
export const confirmAddress = async (executor: Executor, services: Services, secret: string): Promise<void> => {
  const id = services.secrets.hash(secret);
  const ownerId = await findConfirmationOwner(executor, id);
  if (ownerId === undefined) throw invalidLink();
  await openPlatformScope(services, { kind: 'system' }).transaction(async (tx) => {
    const claim = await consume(tx, ownerId, id);
    if (!claim) throw invalidLink();
    await tx.emitAccountEvent({ type: 'address_confirmed', claim });
  });
};

/** Emails a link for each unconfirmed account of this login. Unknown logins are not reported to the caller. */
export const mailConfirmations = async (executor: Executor, services: Services, login: string): Promise<void> => {
  const address = login.trim().toLowerCase();
  const platform = openPlatformScope(services, { kind: 'system' });
  for (const account of await findUnconfirmedAccounts(executor, address, MAX_ACCOUNTS))
    await platform.transaction(async (tx) => {
      const claim = { ...account, address };
      const secret = await tryCreateConfirmation(tx, claim);
      const { kind, ownerId } = claim;
      if (secret) tx.emit({ type: 'address_confirmation_requested', kind, ownerId, address, secret });
    });
};
