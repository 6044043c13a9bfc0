import type { Kysely } from 'kysely';
import { isRetryable } from '#server/storage/database-errors.ts';
import type { Executor } from '#server/storage/executor.ts';
import { executorOf, type OwnedRows, ownedRows } from '#server/storage/scope.ts';
import type { Tables } from '#server/storage/tables/index.ts';
import type { Place } from '#server/storage/tables/visits.ts';
import type { Actor } from './access.ts';
import type { AccountEvent } from './account-events.ts';
import type { BatchLoader } from './batch-loader.ts';
import type { Clock } from './clock.ts';
import type { Cause, DomainEvent } from './events.ts';
import { LockBusyError, type LockQueue, type Release } from './lock-queue.ts';
import type { PartnerServices } from './partners/services.ts';
import type { Projections } from './projection-queue.ts';
import type { Reactions } from './reactions.ts';
import type { Secrets } from './secrets.ts';
import type { SupportServices } from './support/services.ts';
import { warnOnError } from './warn-on-error.ts';

/** How this installation is set up. */
export interface Installation {
  region: string;
  /** The public base URL, without a trailing slash. */
  publicUrl(): string;
  /** Who may create an account on the sign-up pages: everyone, holders of an invitation, or no one. */
  signUp: 'open' | 'invite' | 'closed';
  /** Additional hosts that campaign links may lead to. */
  landingHosts: readonly string[];
  /** The domain that receives mail for all accounts; absent: no mail is received. */
  mailDomain?: string | undefined;
  /** Looks up an IP address; always undefined without a geolocation database. */
  locate(ip: string): Place | undefined;
  /** Whether outgoing requests to this URL are allowed, judging by its text alone. */
  isAllowedUrl(url: string): boolean;
}

/** Dependencies of verbs: what any verb may use, and what belongs to one area. */
export interface Services {
  db: Kysely<Tables>;
  /** For handwritten SQL. */
  executor: Executor;
  clock: Clock;
  secrets: Secrets;
  reactions: Reactions;
  /** Runs what follows from an event of `accounts` in the same transaction. */
  reactToAccountEvent(event: AccountEvent, tx: Transaction<PlatformScope>): Promise<void>;
  projections: Projections;
  batchLoader: BatchLoader;
  lockQueue: LockQueue;
  installation: Installation;
  support: SupportServices;
  partners: PartnerServices;
}

export interface BaseScope {
  readonly actor: Actor;
  readonly services: Services;
  readonly db: Kysely<Tables>;
  readonly executor: Executor;
  now(): Date;
}

/** Records the request that caused the event. */
const causedBy = (cause: Cause | undefined, event: DomainEvent): DomainEvent => (cause ? { ...event, cause } : event);

export interface Emitter {
  emit(event: DomainEvent): void;
  /** Runs the reactions to the event before it returns. */
  emitAccountEvent(event: AccountEvent): Promise<void>;
  /** Waits until no other transaction of this process holds the organization's lock; released when this one ends. */
  queueForLock(organizationId: string): Promise<void>;
}

export type Transaction<S> = S & Emitter;

type Transactional<S> = { transaction<R>(work: (tx: S & Emitter) => Promise<R>): Promise<R> };

/** Has no owner yet: for creating organizations and partners. */
export interface PlatformScope extends BaseScope, Transactional<PlatformScope> {}

export interface OrganizationScope extends BaseScope, OwnedRows<'organizationId'>, Transactional<OrganizationScope> {
  readonly organizationId: string;
  /** The socket request being handled. */
  readonly cause?: Cause | undefined;
}

export interface PartnerScope extends BaseScope, OwnedRows<'partnerId'>, Transactional<PartnerScope> {
  readonly partnerId: number;
}

const announceAll = ({ afterCommit }: Reactions, events: DomainEvent[]): void => {
  for (const event of events) warnOnError(() => afterCommit(event));
};

/**
 * Publishes an event without storing anything, for states such as typing. Not for use inside a transaction, which may
 * roll back: use `emit` there.
 */
export const announce = (scope: OrganizationScope & { emit?: never }, event: DomainEvent): void =>
  scope.services.reactions.afterCommit(causedBy(scope.cause, event));

const asPlatform = (tx: BaseScope & Emitter): Transaction<PlatformScope> => {
  const platform: Transaction<PlatformScope> = { ...tx, transaction: (work) => work(platform) };
  return platform;
};

const MAX_ATTEMPTS = 4;

/** Runs a transaction. Durable reactions to its events run before the commit; the events are published after it. */
const transact = async <S extends BaseScope, R>(
  services: Services,
  open: (db: Kysely<Tables>) => S,
  work: (tx: S & Emitter) => Promise<R>,
  cause?: Cause,
): Promise<R> => {
  let release: Release | undefined;
  const queueForLock = async (organizationId: string): Promise<void> => {
    release ??= await services.lockQueue.acquire(organizationId);
  };
  const once = async (events: DomainEvent[]): Promise<R> =>
    services.db.transaction().execute(async (db) => {
      const emit = (event: DomainEvent) => void events.push(causedBy(cause, event));
      // Verbs called inside a transaction join it.
      const joined: S & Emitter = Object.assign(open(db), {
        emit,
        emitAccountEvent: (event: AccountEvent) => services.reactToAccountEvent(event, asPlatform(joined)),
        queueForLock,
        transaction: (inner: (tx: S & Emitter) => Promise<R>) => inner(joined),
      });
      const value = await work(joined);
      if (events.length > 0) await services.reactions.beforeCommit(events, joined.executor);
      return value;
    });
  for (let tries = 1; ; ) {
    const events: DomainEvent[] = [];
    try {
      const result = await once(events);
      announceAll(services.reactions, events);
      return result;
    } catch (error) {
      if (error instanceof LockBusyError) await services.lockQueue.waitInQueue(error.organizationId);
      else if (tries++ >= MAX_ATTEMPTS || !isRetryable(error)) throw error;
    } finally {
      release?.();
      release = undefined;
    }
  }
};

const base = (services: Services, actor: Actor, db: Kysely<Tables>): BaseScope => ({
  actor,
  services,
  db,
  executor: db === services.db ? services.executor : executorOf(db),
  now: () => services.clock.now(),
});

export const openPlatformScope = (services: Services, actor: Actor): PlatformScope => {
  const open = (db: Kysely<Tables>): PlatformScope => ({
    ...base(services, actor, db),
    transaction: (work) => transact(services, open, work),
  });
  return open(services.db);
};

export const openOrganizationScope = (
  services: Services,
  actor: Actor,
  organizationId: string,
  cause?: Cause,
): OrganizationScope => {
  const open = (db: Kysely<Tables>): OrganizationScope => ({
    ...base(services, actor, db),
    ...ownedRows(db, 'organizationId', organizationId),
    organizationId,
    cause,
    transaction: (work) => transact(services, open, work, cause),
  });
  return open(services.db);
};

export const openPartnerScope = (services: Services, actor: Actor, partnerId: number): PartnerScope => {
  const open = (db: Kysely<Tables>): PartnerScope => ({
    ...base(services, actor, db),
    ...ownedRows(db, 'partnerId', partnerId),
    partnerId,
    transaction: (work) => transact(services, open, work),
  });
  return open(services.db);
};

/** The scope of an organization inside a platform transaction, for example the one that creates it. */
export const enterOrganization = (
  tx: Transaction<PlatformScope>,
  organizationId: string,
): Transaction<OrganizationScope> => {
  const inside: Transaction<OrganizationScope> = {
    ...base(tx.services, { kind: 'system' }, tx.db),
    ...ownedRows(tx.db, 'organizationId', organizationId),
    organizationId,
    executor: tx.executor,
    emit: tx.emit,
    emitAccountEvent: tx.emitAccountEvent,
    queueForLock: tx.queueForLock,
    transaction: (work) => work(inside),
  };
  return inside;
};

/** The scope of a partner inside a platform transaction. */
export const enterPartner = (tx: Transaction<PlatformScope>, partnerId: number): Transaction<PartnerScope> => {
  const inside: Transaction<PartnerScope> = {
    ...base(tx.services, { kind: 'system' }, tx.db),
    ...ownedRows(tx.db, 'partnerId', partnerId),
    partnerId,
    executor: tx.executor,
    emit: tx.emit,
    emitAccountEvent: tx.emitAccountEvent,
    queueForLock: tx.queueForLock,
    transaction: (work) => work(inside),
  };
  return inside;
};
