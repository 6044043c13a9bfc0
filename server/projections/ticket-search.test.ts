import { beforeEach, describe, expect, it } from 'vitest';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { setTicketSubject } from '#server/domain/support/tickets/change-ticket.ts';
import { createTicket } from '#server/domain/support/tickets/create-ticket.ts';
import { listTickets } from '#server/domain/support/tickets/list-tickets.ts';
import { mergeTickets, undoMerge } from '#server/domain/support/tickets/merge-tickets.ts';
import { addTicketNote } from '#server/domain/support/tickets/reply-to-ticket.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { agentScope } from '#server/testing/builders/chats.ts';
import { buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';

import { checkProjection, rebuildProjection } from './maintain.ts';
import { ticketSearch } from './ticket-search.ts';

const test = useTestApp();
let organization: TestOrganization;
let scope: OrganizationScope;
beforeEach(async () => {
  organization = await buildOrganization(test);
  scope = agentScope(organization, organization.owner);
});

const open = async (message: string, subject?: string): Promise<string> =>
  (await createTicket(scope, { requester: { mail: 'ann@home.test' }, message, subject, source: { type: 'lc2' } })).id;
const find = async (text: string, by = scope): Promise<string[]> =>
  (await listTickets(by, { text })).items.map(({ id }) => id);

describe('a ticket', () => {
  it('is found by its words in any order; the last word may be a prefix', async () => {
    const id = await open('The blue lamp flickers', 'Order 4711');
    await addTicketNote(scope, { ticketId: id, message: 'Ask Zoë' });
    for (const text of ['lamp', 'LAMP blue', '4711 flick', 'ann@home.test', 'zoë', 'home ann'])
      expect(await find(text), text).toEqual([id]);
    for (const text of ['amp', 'lamp green', 'flick lamp', '%', '...']) expect(await find(text), text).toEqual([]);
  });

  it('is found by its new subject after the subject changes', async () => {
    const id = await open('Hello', 'Lamp');
    expect(await find('lamp')).toEqual([id]);
    await setTicketSubject(scope, { ticketId: id, subject: 'Chair' });
    expect([await find('lamp'), await find('chair')]).toEqual([[], [id]]);
  });

  it('is found through the ticket it was merged into, and by itself after the merge is undone', async () => {
    const [lamp, chair] = [await open('A lamp'), await open('A chair')];
    await mergeTickets(scope, { ticketId: lamp, into: chair });
    expect(await find('lamp chair')).toEqual([chair]);
    await undoMerge(scope, { ticketId: lamp });
    expect([await find('lamp'), await find('chair')]).toEqual([[lamp], [chair]]);
  });

  it('is not found by other organizations', async () => {
    await open('A lamp');
    const other = await buildOrganization(test);
    expect(await find('lamp', agentScope(other, other.owner))).toEqual([]);
  });

  it('is indexed by the worker without a search', async () => {
    await open('A lamp');
    await test.context.background.projections.drain();
    expect(await checkProjection(test.context.database, ticketSearch, organization.id)).toEqual([]);
    expect(await scope.from('ticketSearch').select('ticketId').execute()).toHaveLength(1);
  });
});

describe('the ticket search projection', () => {
  it('reports tickets whose words are wrong, and a rebuild corrects them', async () => {
    const { database } = test.context;
    const [lamp, chair] = [await open('A lamp'), await open('A chair')];
    await test.context.background.projections.drain();
    await scope.remove('ticketSearch').where('ticketId', '=', lamp).execute();
    expect(await checkProjection(database, ticketSearch, organization.id)).toEqual([lamp]);
    await rebuildProjection(database, ticketSearch, organization.id);
    expect(await checkProjection(database, ticketSearch, organization.id)).toEqual([]);
    expect([await find('lamp'), await find('chair')]).toEqual([[lamp], [chair]]);
  });
});
