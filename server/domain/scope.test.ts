import { once } from 'node:events';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildCustomer,
  buildOrganization,
  buildPartner,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import type { DomainEvent } from './events.ts';
import type { Reactions } from './reactions.ts';
import {
  announce,
  type OrganizationScope,
  openOrganizationScope,
  openPartnerScope,
  openPlatformScope,
  type Transaction,
} from './scope.ts';

const test = useTestApp();
let ours: TestOrganization;
let theirs: TestOrganization;
beforeAll(async () => {
  [ours, theirs] = await Promise.all([buildOrganization(test), buildOrganization(test)]);
});

const group = (id: number) => ({ id, name: `Group ${id}`, createdAt: test.clock.now() });
const groupIds = async ({ scope }: TestOrganization) =>
  (await scope.from('groups').select('id').orderBy('id').execute()).map(({ id }) => id);
const statusChange = (): DomainEvent => ({
  type: 'agent_status_set',
  organizationId: ours.id,
  agentId: ours.owner.login,
  status: 'offline',
});

/** A scope that records its published events. */
const watched = (more: Partial<Reactions> = {}) => {
  const announced: DomainEvent[] = [];
  const reactions: Reactions = {
    isDurable: () => false,
    beforeCommit: async () => {},
    afterCommit: (event) => void announced.push(event),
    ...more,
  };
  const scope = openOrganizationScope({ ...test.context.services, reactions }, { kind: 'system' }, ours.id);
  return { scope, announced };
};

describe('owned rows', () => {
  it('are the only rows that are read, updated and deleted', async () => {
    const customer = await buildCustomer(theirs);
    expect(await ours.scope.from('customers').where('id', '=', customer.id).selectAll().execute()).toEqual([]);
    await ours.scope.update('customers').set({ name: 'Mallory' }).execute();
    await ours.scope.remove('customerTokens').execute();
    const kept = await theirs.scope
      .from('customers')
      .where('id', '=', customer.id)
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(kept.name).toBeNull();
    expect(await theirs.scope.from('customerTokens').selectAll().execute()).toHaveLength(1);
  });

  it('are written with the owner of the scope, regardless of the passed owner', async () => {
    await ours.scope.insert('groups', { ...group(5), organizationId: theirs.id } as never).execute();
    await ours.scope.insert('groups', [group(6), group(7)]).execute();
    expect(await groupIds(ours)).toEqual([0, 5, 6, 7]);
    expect(await groupIds(theirs)).toEqual([0]);
  });

  it('cannot reference rows of another owner', async () => {
    const customer = await buildCustomer(theirs);
    const token = {
      id: Buffer.from('x'),
      customerId: customer.id,
      clientId: 'c',
      createdAt: new Date(),
      expiresAt: new Date(),
    };
    await expect(ours.scope.insert('customerTokens', token).execute()).rejects.toThrow(/foreign key/);
  });

  it('work for partners too', async () => {
    const [one, other] = await Promise.all([buildPartner(test), buildPartner(test)]);
    const scope = openPartnerScope(test.context.services, { kind: 'partner', id: one.id }, one.id);
    const rows = await scope.from('partnerTokens').select('partnerId').execute();
    expect(rows).toEqual([{ partnerId: one.id }]);
    expect(one.id).not.toBe(other.id);
  });
});

describe('a transaction', () => {
  it('is joined by nested transactions', async () => {
    const { scope, announced } = watched();
    const failing = scope.transaction(async (tx) => {
      await tx.transaction(async (inner) => {
        await inner.insert('groups', group(20)).execute();
        inner.emit(statusChange());
        await inner.transaction((deeper) => deeper.insert('groups', group(21)).execute());
      });
      throw new Error('too late');
    });
    await expect(failing).rejects.toThrow('too late');
    expect(await groupIds(ours)).not.toContain(20);
    expect(announced).toEqual([]);
  });

  it('publishes events once, in order, after the commit', async () => {
    const { scope, announced } = watched();
    await scope.transaction(async (tx) => {
      tx.emit(statusChange());
      await tx.transaction(async (inner) => inner.emit({ type: 'credentials_changed', organizationId: ours.id }));
      expect(announced).toEqual([]);
    });
    expect(announced.map(({ type }) => type)).toEqual(['agent_status_set', 'credentials_changed']);
  });

  it('rolls back when a durable reaction fails', async () => {
    const { scope, announced } = watched({
      beforeCommit: async () => {
        throw new Error('no room for the mail');
      },
    });
    const failing = scope.transaction(async (tx) => {
      await tx.insert('groups', group(30)).execute();
      tx.emit(statusChange());
    });
    await expect(failing).rejects.toThrow('no room');
    expect(await groupIds(ours)).not.toContain(30);
    expect(announced).toEqual([]);
  });

  it('commits and rolls back the writes of durable reactions with its own', async () => {
    const { scope } = watched({
      beforeCommit: async (events, tx) => {
        const text = 'insert into installation (key, value) values ($1, $2)';
        for (const _ of events) await tx.query({ text, values: ['reacted', '{}'] });
      },
    });
    const written = async () =>
      (await test.context.database.query({ text: `select 1 from installation where key = 'reacted'`, values: [] })).rows
        .length;
    const failing = scope.transaction(async (tx) => {
      tx.emit(statusChange());
      tx.emit(statusChange());
    });
    await expect(failing).rejects.toThrow(/duplicate key/);
    expect(await written()).toBe(0);
    await scope.transaction(async (tx) => tx.emit(statusChange()));
    expect(await written()).toBe(1);
  });

  it('retries deadlocks and publishes the events of the last attempt only', async () => {
    const { scope, announced } = watched();
    let tries = 0;
    await scope.transaction(async (tx) => {
      tx.emit(statusChange());
      if (++tries < 3) throw Object.assign(new Error('deadlock'), { code: '40P01' });
    });
    expect([tries, announced.length]).toEqual([3, 1]);
    const hopeless = scope.transaction(async () => {
      tries += 1;
      throw Object.assign(new Error('deadlock'), { code: '40P01' });
    });
    await expect(hopeless).rejects.toThrow('deadlock');
    expect(tries).toBe(7);
  });

  it('is committed once even if publishing its events fails', async () => {
    let announcements = 0;
    const { scope } = watched({
      afterCommit: () => {
        announcements++;
        throw Object.assign(new Error('deadlock'), { code: '40P01' });
      },
    });
    const warned = once(process, 'warning');
    const work = async (tx: Transaction<OrganizationScope>) => {
      await tx.insert('groups', group(40)).execute();
      tx.emit(statusChange());
      tx.emit(statusChange());
      return 'done';
    };
    expect(await scope.transaction(work)).toBe('done');
    expect(announcements).toBe(2);
    expect((await warned)[0]).toMatchObject({ detail: expect.stringContaining('deadlock') });
  });

  it('cannot publish immediately, since it may roll back', async () => {
    const { scope, announced } = watched();
    announce(scope, statusChange());
    expect(announced).toHaveLength(1);
    // @ts-expect-error: a transaction emits.
    await scope.transaction(async (tx) => announce(tx, statusChange()));
  });

  it('works for the platform scope too', async () => {
    const scope = openPlatformScope(test.context.services, { kind: 'operator' });
    const failing = scope.transaction(async (tx) => {
      await tx.db.insertInto('installation').values({ key: 'platform', value: '{}' }).execute();
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await scope.db.selectFrom('installation').where('key', '=', 'platform').selectAll().execute()).toEqual([]);
  });
});
