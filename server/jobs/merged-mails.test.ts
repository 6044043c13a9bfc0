import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { mergeTickets, undoMerge } from '#server/domain/support/tickets/merge-tickets.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { waitForLockWaiter } from '#server/testing/app/wait-for-lock-waiter.ts';
import { agentScope } from '#server/testing/builders/chats.ts';
import { buildOrganization } from '#server/testing/builders/factories.ts';
import { callAsAgent } from '#server/testing/http/call-agent.ts';
import { createEmail, createMailHelpers, DOMAIN } from '../testing/builders/mails.ts';

const test = useTestApp({ config: { mailInDomain: DOMAIN } });
let receive: ReturnType<typeof createMailHelpers>['receive'];
let list: ReturnType<typeof createMailHelpers>['list'];
let mailsTo: ReturnType<typeof createMailHelpers>['mailsTo'];
beforeAll(async () => {
  ({ receive, list, mailsTo } = createMailHelpers(test));
});

describe('a mail for a merged ticket', () => {
  it('goes to the ticket it was merged into, and returns with it when the merge is undone', async () => {
    const organization = await buildOrganization(test);
    const call = callAsAgent(test);
    await receive(organization, createEmail('m1', 'first'));
    await receive(
      organization,
      [...createEmail('m2', 'second')].map((line) => line.replace('ann@', 'ben@')),
    );
    await test.runDueJobs();
    const tickets = await list(organization);
    const [one, two] = ['ann@home.test', 'ben@home.test'].map((mail) =>
      tickets.find((t: { requester: { mail: string } }) => t.requester.mail === mail),
    );
    await call(organization.owner, 'merge_tickets', { ticket_id: one.id, into_ticket_id: two.id });
    await receive(organization, createEmail('m3', 'third', 'In-Reply-To: <m1@home.test>'));
    await test.runDueJobs();
    const [merged, ...others] = await list(organization);
    expect([merged.id, others]).toEqual([two.id, []]);
    const { body } = await call(organization.owner, 'undo_ticket_merge', { ticket_id: one.id });
    const texts = body.ticket.events.flatMap(({ message }: { message?: string }) => message ?? []);
    expect(texts).toEqual(['first', 'third']);
  });

  it('does not go to a ticket that was merged while the mail was being filed', async () => {
    const organization = await buildOrganization(test);
    await receive(organization, createEmail('u1', 'first'));
    await receive(organization, createEmail('u2', 'second'));
    await test.runDueJobs();
    const [one, two] = (await list(organization)).map(({ id }: { id: string }) => id);
    const byOwner = agentScope(organization, organization.owner, 'owner');
    await mergeTickets(byOwner, { ticketId: one, into: two });
    const [{ messageId }] = (await organization.scope
      .from('ticketMessageIds')
      .where('ticketId', '=', one)
      .select('messageId')
      .execute()) as [{ messageId: string }];
    await receive(organization, createEmail('u3', 'third', `In-Reply-To: ${messageId}`));
    const { filing } = await byOwner.transaction(async (tx) => {
      await undoMerge(tx, { ticketId: one });
      const filing = test.context.background.mailFiler.drain();
      await waitForLockWaiter(test);
      return { filing };
    });
    await filing;
    const where = organization.scope.from('ticketEvents').where('content', '@>', sql<object>`'{"message": "third"}'`);
    expect(await where.select(['ticketId', 'formerTicketIds']).execute()).toEqual([
      { ticketId: one, formerTicketIds: [] },
    ]);
  });

  it('follows several merges for all participants and no others', async () => {
    const organization = await buildOrganization(test);
    const call = callAsAgent(test);
    const from = (name: string, mail: string[]) => mail.map((line) => line.replace('ann@', `${name}@`));
    await receive(organization, createEmail('p1', 'first'));
    await receive(organization, from('cleo', createEmail('p2', 'second')));
    await receive(organization, from('dora', createEmail('p3', 'third')));
    await test.runDueJobs();
    const tickets = await list(organization);
    const [one, two, three] = ['ann', 'cleo', 'dora'].map(
      (name) =>
        tickets.find(({ requester }: { requester: { mail: string } }) => requester.mail === `${name}@home.test`).id,
    );
    await call(organization.owner, 'reply_to_ticket', { ticket_id: one, message: 'Hi' });
    await test.runDueJobs();
    const to = (await mailsTo('ann@home.test')).at(-1)!.mail.replyTo!.address;
    await receive(organization, from('ben', createEmail('p4', 'a friend')), { from: 'ben@home.test', to });
    await test.runDueJobs();
    await call(organization.owner, 'merge_tickets', { ticket_id: one, into_ticket_id: two });
    await call(organization.owner, 'merge_tickets', { ticket_id: two, into_ticket_id: three });
    for (const name of ['ann', 'ben', 'eve'])
      await receive(organization, from(name, createEmail(`p5${name}`, `again ${name}`, 'References: <p1@home.test>')), {
        from: `${name}@home.test`,
      });
    await test.runDueJobs();
    const now = await list(organization);
    const textsOf = (id: string) =>
      now
        .find((ticket: { id: string }) => ticket.id === id)
        .events.flatMap(({ message }: { message?: string }) => message ?? []);
    expect(now).toHaveLength(2);
    expect(textsOf(three)).toEqual(expect.arrayContaining(['first', 'a friend', 'again ann', 'again ben']));
    expect(textsOf(three)).not.toContain('again eve');
  });
});
