import { randomUUID } from 'node:crypto';
import { type Actor, requireAgent, requireOperator } from '../../access.ts';
import { DomainError, invalid, notFound } from '../../errors.ts';
import { isUuid } from '../../ids.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { normalizeIp } from './address.ts';

const DAY_MS = 24 * 3600 * 1000;

export interface Ban {
  id: string;
  customerId: string | null;
  ip: string | null;
  until: Date;
}

export interface NewBan {
  customerId?: string | undefined;
  ip?: string | undefined;
  days: number;
}

export const assertNotBanned = (until: Date | null, now: Date): void => {
  if (until && until > now) throw new DomainError('customer_banned', 'Customer is banned');
};

/** Before there is a customer, an address is all there is to know. */
export const assertAddressAllowed = async (scope: OrganizationScope, ip: string): Promise<void> => {
  const address = normalizeIp(ip);
  if (address === undefined) return;
  const { until } = await scope
    .from('bans')
    .where('ip', '=', address)
    .select((eb) => eb.fn.max('until').as('until'))
    .executeTakeFirstOrThrow();
  assertNotBanned(until, scope.now());
};

const readIp = (text: string): string => {
  const ip = normalizeIp(text);
  if (ip === undefined) throw invalid('ip', 'is no IP address');
  return ip;
};

/** A shorter ban never ends a longer one. */
const banCustomer = async (tx: Transaction<OrganizationScope>, customerId: string, until: Date): Promise<void> => {
  const { numUpdatedRows } = await tx
    .update('customers')
    .where('id', '=', customerId)
    .set((eb) => ({ bannedUntil: eb.fn<Date>('greatest', ['bannedUntil', eb.val(until)]) }))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound('Customer');
};

/** Agents keep people out of their own organization, the operator out of any. */
const requireBanning = (actor: Actor): void => {
  if (actor.kind !== 'agent') requireOperator(actor);
};

/** One customer, or one address. */
const readTarget = ({ customerId, ip }: { customerId?: string | undefined; ip?: string | undefined }) => {
  if ((customerId === undefined) === (ip === undefined)) throw invalid('customer_id', 'or `ip` is required, not both');
  if (customerId !== undefined && !isUuid(customerId)) throw notFound('Customer');
  return { customerId: customerId?.toLowerCase() ?? null, ip: ip === undefined ? null : readIp(ip) };
};

/** Keeps one customer out, or everybody who comes from one address, at once and in every process. */
export const addBan = async (scope: OrganizationScope, { customerId, ip, days }: NewBan): Promise<Ban> => {
  requireBanning(scope.actor);
  const target = readTarget({ customerId, ip });
  return scope.transaction(async (tx) => {
    const createdAt = tx.now();
    const ban: Ban = { id: randomUUID(), ...target, until: new Date(createdAt.getTime() + days * DAY_MS) };
    if (ban.customerId !== null) await banCustomer(tx, ban.customerId, ban.until);
    const bannedBy = tx.actor.kind === 'agent' ? tx.actor.id : tx.actor.kind;
    await tx.insert('bans', { ...ban, bannedBy, createdAt }).execute();
    const { organizationId } = tx;
    tx.emit({ type: 'credentials_changed', organizationId });
    tx.emit({
      type: 'customer_banned',
      organizationId,
      days,
      endsAt: ban.until,
      ...(ban.customerId === null ? { ip: ban.ip! } : { customerId: ban.customerId }),
    });
    return ban;
  });
};

export interface StandingBan extends Ban {
  customerName: string | null;
  bannedBy: string;
  createdAt: Date;
}

const MAX_LISTED = 1000;

/** Those that still hold, the latest first. */
export const listBans = (scope: OrganizationScope): Promise<StandingBan[]> => {
  requireAgent(scope.actor);
  return scope
    .from('bans')
    .leftJoin('customers', (join) =>
      join.onRef('customers.organizationId', '=', 'bans.organizationId').onRef('customers.id', '=', 'bans.customerId'),
    )
    .where('bans.until', '>', scope.now())
    .orderBy('bans.createdAt', 'desc')
    .orderBy('bans.id')
    .limit(MAX_LISTED)
    .select(['bans.id', 'bans.customerId', 'bans.ip', 'bans.until', 'bans.bannedBy', 'bans.createdAt'])
    .select('customers.name as customerName')
    .execute();
};

/** Ends all bans of one customer, or of one address, at once; who is not banned stays so. */
export const liftBan = async (
  scope: OrganizationScope,
  input: { customerId?: string | undefined; ip?: string | undefined },
): Promise<void> => {
  requireBanning(scope.actor);
  const { customerId, ip } = readTarget(input);
  await scope.transaction(async (tx) => {
    if (customerId !== null) {
      const { numUpdatedRows } = await tx
        .update('customers')
        .where('id', '=', customerId)
        .set({ bannedUntil: null })
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw notFound('Customer');
    }
    const now = tx.now();
    const target =
      customerId === null
        ? tx.update('bans').where('ip', '=', ip)
        : tx.update('bans').where('customerId', '=', customerId);
    await target.where('until', '>', now).set({ until: now }).execute();
    tx.emit({ type: 'credentials_changed', organizationId: tx.organizationId });
  });
};
