import { describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildCustomer, buildOrganization } from '#server/testing/builders/factories.ts';
import { arrangeChat, reader } from '../../testing/builders/archive.ts';

const test = useTestApp();

const goTo = (instant: string) => test.clock.advance(Date.parse(instant) - test.clock.now().getTime());

describe('pages', () => {
  it('contain 25 chats, each chat once, even if all started at the same time', async () => {
    const organization = await buildOrganization(test);
    const customerId = (await buildCustomer(organization)).id;
    const ids: string[] = [];
    for (let at = 0; at < 26; at++)
      ids.push((await arrangeChat(test, organization, { customerId, seconds: 0 })).threadId);
    const read = reader(test, organization.owner);
    const first = (await read('/chats')).body;
    const second = (await read('/chats?page=2')).body;
    expect([first.total, first.pages, first.chats.length, second.chats.length]).toEqual([26, 2, 25, 1]);
    const seen = [...first.chats, ...second.chats].map(({ id }: { id: string }) => id);
    expect(seen).toEqual(ids.toSorted().toReversed());
    expect((await read('/chats?page=3')).body).toEqual({ chats: [], total: 26, pages: 2 });
  });
});

describe('days', () => {
  it('start and end in the requested time zone, even on clock changes', async () => {
    const organization = await buildOrganization(test);
    const moments = [
      '2026-03-07T18:29:59.999Z', // last on March 7 in Kolkata
      '2026-03-07T18:30:00Z', // first on March 8 in Kolkata
      '2026-03-08T04:59:59.999Z', // last on March 7 in New York
      '2026-03-08T05:00:00Z', // first on March 8 in New York, a day of 23 hours
      '2026-03-09T03:59:59.999Z',
      '2026-03-09T04:00:00Z', // first on March 9 in New York
    ];
    const byId = new Map<string, number>();
    for (const [at, moment] of moments.entries()) {
      goTo(moment);
      byId.set((await arrangeChat(test, organization, { seconds: 0 })).threadId, at);
    }
    const read = reader(test, organization.owner);
    const found = async (query: string) =>
      (await read(`/chats?${query}`)).body.chats.map(({ id }: { id: string }) => byId.get(id)).toReversed();
    const day = (date: string, zone: string) => found(`date_from=${date}&date_to=${date}&timezone=${zone}`);
    expect(await day('2026-03-08', 'America/New_York')).toEqual([3, 4]);
    expect(await day('2026-03-07', 'America/New_York')).toEqual([0, 1, 2]);
    expect(await day('2026-03-09', 'America/New_York')).toEqual([5]);
    expect(await day('2026-03-07', 'Asia/Kolkata')).toEqual([0]);
    expect(await day('2026-03-08', 'Asia/Kolkata')).toEqual([1, 2, 3]);
    expect(await found('date_to=2026-03-07')).toEqual([0, 1]);
    expect(await found('date_from=2026-03-09')).toEqual([4, 5]);
    expect(await found('date_from=1000-01-01&date_to=2999-12-31')).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('are in the organization’s time zone by default, and so are dates in the response', async () => {
    const organization = await buildOrganization(test);
    const { kysely } = test.context.database;
    const timezone = 'America/New_York';
    await kysely.updateTable('organizations').where('id', '=', organization.id).set({ timezone }).execute();
    goTo('2026-03-10T03:59:00Z');
    await arrangeChat(test, organization, { seconds: 60 });
    const read = reader(test, organization.owner);
    const { chats } = (await read('/chats?date_from=2026-03-09&date_to=2026-03-09')).body;
    expect(chats).toMatchObject([
      { started: 'Mon, 03/09/26 11:59:00 pm', ended: 'Tue, 03/10/26 12:00:00 am', timezone },
    ]);
    expect((await read('/chats?date_from=2026-03-10')).body.total).toBe(0);
  });
});
