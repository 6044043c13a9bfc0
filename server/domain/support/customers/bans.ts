import { randomUUID } from 'node:crypto';
import { type Actor, requireAgent, requireOperator } from '../../access.ts';
import { DomainError, invalid, notFound } from '../../errors.ts';
import { isUuid } from '../../ids.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { normalizeIp } from './normalize-ip.ts';

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

/** Before there is a customer, only the IP address can be checked. */
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
  if (ip === undefined) throw invalid('ip', 'must be an IP address');
  return ip;
};

/** A shorter ban never shortens a longer one. */
const banCustomer = async (tx: Transaction<OrganizationScope>, customerId: string, until: Date): Promise<void> => {
  const { numUpdatedRows } = await tx
    .update('customers')
    .where('id', '=', customerId)
    .set((eb) => ({ bannedUntil: eb.fn<Date>('greatest', ['bannedUntil', eb.val(until)]) }))
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound('Customer');
};

/** Agents may ban within their organization, the operator everywhere. */
const requireBanning = (actor: Actor): void => {
  if (actor.kind !== 'agent') requireOperator(actor);
};

const readTarget = ({ customerId, ip }: { customerId?: string | undefined; ip?: string | undefined }) => {
  if ((customerId === undefined) === (ip === undefined)) throw invalid('customerId', 'or `ip` is required, not both');
  if (customerId !== undefined && !isUuid(customerId)) throw notFound('Customer');
  return { customerId: customerId?.toLowerCase() ?? null, ip: ip === undefined ? null : readIp(ip) };
};

/** Bans a customer or an IP address, effective immediately in every process. */
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

export interface ActiveBan extends Ban {
  customerName: string | null;
  bannedBy: string;
  createdAt: Date;
}

const MAX_LISTED = 1000;

/** Lists active bans, latest first. */
export const listBans = (scope: OrganizationScope): Promise<ActiveBan[]> => {
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

/** Ends all bans of a customer or an IP address immediately. */
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
