import { beforeAll, describe, expect, it } from 'vitest';
import { deleteAgent } from '#server/domain/support/agents/profile/delete-agent.ts';
import { deleteGroup } from '#server/domain/support/groups/delete-group.ts';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
import { agentScope } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildGroup,
  buildOrganization,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { callAsAgent } from '#server/testing/http/call-agent.ts';
import { createEmail, createMailHelpers, DOMAIN } from '../testing/builders/mails.ts';

const test = useTestApp({ config: { mailInDomain: DOMAIN } });
let receive: ReturnType<typeof createMailHelpers>['receive'];
let list: ReturnType<typeof createMailHelpers>['list'];
let mailsTo: ReturnType<typeof createMailHelpers>['mailsTo'];
beforeAll(async () => {
  ({ receive, list, mailsTo } = createMailHelpers(test));
});

describe('a received mail', () => {
  it('is filed once when two processes file and receive it at the same time', async () => {
    const organization = await buildOrganization(test);
    await using beside = await startTestApp({
      beside: test,
      config: { mailInDomain: DOMAIN, dataDir: test.context.config.dataDir },
    });
    const mails = Array.from({ length: 10 }, (_, n) => createEmail(`n${n}`, `text ${n}`));
    await Promise.all(mails.flatMap((mail) => [receive(organization, mail), receive(organization, mail, {}, beside)]));
    await Promise.all([test.context.background.mailFiler.drain(), beside.context.background.mailFiler.drain()]);
    expect(await list(organization)).toHaveLength(10);
  });

  it('is retried later when the file store fails', async () => {
    const organization = await buildOrganization(test);
    await receive(organization, createEmail('wait'));
    const { files } = test.context.ports;
    const read = files.read;
    files.read = async () => {
      throw new Error('the disk is away');
    };
    await test.context.background.mailFiler.drain();
    files.read = read;
    await test.context.background.mailFiler.drain();
    expect(await list(organization)).toEqual([]);
    test.clock.advance(3_600_000);
    await test.context.background.mailFiler.drain();
    expect(await list(organization)).toHaveLength(1);
  });

  const FILE = ['Content-Type: text/plain', 'Content-Disposition: attachment; filename=a.txt'];

  it('is not lost when the file store fails for a long time', async () => {
    const organization = await buildOrganization(test);
    await receive(organization, createEmail('patient', 'the words', ...FILE));
    const { files } = test.context.ports;
    const { read, write } = files;
    const fail = async () => {
      throw new Error('the disk is away');
    };
    for (let n = 0; n < 6; n++) {
      Object.assign(files, n % 2 ? { read: fail } : { write: fail });
      await test.context.background.mailFiler.drain();
      Object.assign(files, { read, write });
      test.clock.advance(3_600_000);
    }
    await test.context.background.mailFiler.drain();
    const [ticket] = await list(organization);
    expect(ticket).toMatchObject({ subject: 'Lamp', events: [{ files: [{ name: 'a.txt' }] }] });
    expect(ticket.events[0]).not.toHaveProperty('malformed');
  });

  it('is filed with its raw source when it fails repeatedly', async () => {
    const organization = await buildOrganization(test);
    await receive(organization, createEmail('poison', 'the words', ...FILE));
    const { files } = test.context.ports;
    const { write } = files;
    for (let n = 0; n < 4; n++) {
      files.write = async () => {
        // The raw source can be written.
        files.write = write;
        throw new Error('this cannot be written');
      };
      await test.context.background.mailFiler.drain();
      test.clock.advance(3_600_000);
    }
    const [ticket] = await list(organization);
    expect(ticket.events[0]).toMatchObject({ malformed: true, files: [{ name: 'message.eml' }] });
    expect(ticket.events[0].message).toContain('the words');
  });

  it('becomes a ticket although its stored source is missing', async () => {
    const organization = await buildOrganization(test);
    await receive(organization, createEmail('lost'));
    const { storageKey } = await organization.scope
      .from('incomingMails')
      .select('storageKey')
      .executeTakeFirstOrThrow();
    await test.context.ports.files.remove(storageKey);
    await test.context.background.mailFiler.drain();
    expect(await list(organization)).toMatchObject([{ requester: { mail: 'ann@home.test' } }]);
  });
});

describe('automatic mail', () => {
  const reply = async (organization: TestOrganization, ticketId: string) => {
    const payload = { ticket_id: ticketId, message: 'Hello' };
    const { body } = await callAsAgent(test)(organization.owner, 'reply_to_ticket', payload);
    await test.runDueJobs();
    return body.ticket.events.at(-1).mailed;
  };

  it('gets no reply until a person writes', async () => {
    const organization = await buildOrganization(test);
    const robot = ['From: robot@home.test', 'Message-ID: <r1@home.test>', 'Auto-Submitted: auto-generated', '', 'beep'];
    await receive(organization, robot, { from: 'robot@home.test' });
    await test.runDueJobs();
    const [ticket] = await list(organization);
    expect(await reply(organization, ticket.id)).toBe(false);
    expect(await mailsTo('robot@home.test')).toEqual([]);
    const person = [
      'From: robot@home.test',
      'Message-ID: <r2@home.test>',
      'References: <r1@home.test>',
      '',
      'I am a person',
    ];
    await receive(organization, person, { from: 'robot@home.test' });
    await test.runDueJobs();
    expect(await reply(organization, ticket.id)).toBe(true);
    expect(await mailsTo('robot@home.test')).toHaveLength(1);
  });

  it('is never sent to our own or invalid addresses', async () => {
    const organization = await buildOrganization(test);
    const own = `${organization.licenseNumber}@${DOMAIN}`;
    await receive(organization, [`From: ${own}`, 'Message-ID: <own@x>', '', 'me'], { from: own });
    await receive(organization, ['From: ""@x.test', '', 'nobody'], { from: 'not an address' });
    await test.runDueJobs();
    for (const { id } of await list(organization)) expect(await reply(organization, id)).toBe(false);
  });

  it('from a flooding sender is stored and marked, and reopens no ticket', async () => {
    const organization = await buildOrganization(test);
    for (let n = 0; n < 32; n++) {
      await receive(organization, createEmail(`flood${n}`, `turn ${n}`));
      await test.context.background.mailFiler.drain();
    }
    const { scope } = organization;
    const rows = await scope.from('ticketEvents').orderBy('id').select('content').execute();
    const marks = rows.map(({ content }) => (content as { automatic?: string }).automatic);
    expect(marks).toEqual([...Array.from({ length: 30 }, () => undefined), 'too_many', 'too_many']);
    test.clock.advance(3_600_001);
    await receive(organization, createEmail('later', 'an hour later'));
    await test.context.background.mailFiler.drain();
    const last = await scope.from('ticketEvents').orderBy('id', 'desc').select('content').executeTakeFirstOrThrow();
    expect(last.content).not.toHaveProperty('automatic');
  });

  it('leaves a solved ticket solved', async () => {
    const organization = await buildOrganization(test);
    const call = callAsAgent(test);
    await receive(organization, createEmail('start'));
    await test.runDueJobs();
    const [{ id }] = await list(organization);
    await call(organization.owner, 'update_ticket', { ticket_id: id, status: 'solved' });
    await receive(
      organization,
      createEmail('away', 'I am away', 'Auto-Submitted: auto-replied', 'References: <start@home.test>'),
    );
    await test.runDueJobs();
    expect((await list(organization))[0]).toMatchObject({ id, status: 'solved' });
    await receive(organization, createEmail('back', 'I am back', 'References: <start@home.test>'));
    await test.runDueJobs();
    const [ticket, ...others] = await list(organization);
    expect([ticket.status, others]).toEqual(['open', []]);
    expect(ticket.events.at(-1)).toMatchObject({ type: 'status_changed', from: 'solved', to: 'open' });
  });

  it('does not leave a reopened ticket with a deleted agent', async () => {
    const organization = await buildOrganization(test);
    const [remaining, deleted] = [await buildAgent(organization), await buildAgent(organization)];
    const call = callAsAgent(test);
    for (const { login } of [remaining, deleted]) {
      await receive(organization, createEmail(login, 'help'));
      await test.runDueJobs();
      const [{ id }] = await list(organization);
      await call(organization.owner, 'assign_ticket', { ticket_id: id, assignee_id: login });
      await call(organization.owner, 'update_ticket', { ticket_id: id, status: 'solved' });
      test.clock.advance(1000);
    }
    await deleteAgent(agentScope(organization, organization.owner), { login: deleted.login });
    for (const { login } of [remaining, deleted]) {
      await receive(organization, createEmail(`${login}-again`, 'I am back', `References: <${login}@home.test>`));
      await test.runDueJobs();
      const [{ status, assignee, events }] = await list(organization);
      const isDeleted = login === deleted.login;
      expect([status, assignee?.id]).toEqual(['open', isDeleted ? undefined : login]);
      expect(events.at(-1)).toMatchObject(
        isDeleted ? { type: 'assignee_changed', to: null, author: { type: 'system' } } : { type: 'status_changed' },
      );
      test.clock.advance(1000);
    }
  });
});

it('moves a reopened ticket to all agents when its group was deleted', async () => {
  const organization = await buildOrganization(test);
  await buildGroup(organization, 5);
  await receive(organization, createEmail('g1'));
  await test.runDueJobs();
  const [{ id }] = await list(organization);
  const change = { ticket_id: id, status: 'solved', group_ids: [5] };
  await callAsAgent(test)(organization.owner, 'update_ticket', change);
  await deleteGroup(organization.scope, { id: 5 });
  await receive(organization, createEmail('g2', 'again', 'References: <g1@home.test>'));
  await test.runDueJobs();
  expect(await list(organization)).toMatchObject([{ id, status: 'open', group_ids: [0] }]);
});

describe('another organization', () => {
  it('receives no mail through a signed address of a different organization', async () => {
    const [one, two] = [await buildOrganization(test), await buildOrganization(test)];
    const call = callAsAgent(test);
    await receive(one, createEmail('x1'));
    await test.runDueJobs();
    const [ticket] = await list(one);
    await call(one.owner, 'reply_to_ticket', { ticket_id: ticket.id, message: 'Hi' });
    await test.runDueJobs();
    const address = (await mailsTo('ann@home.test'))[0]!.mail.replyTo!.address;
    const stolen = address.replace(String(one.licenseNumber), String(two.licenseNumber));
    await receive(two, createEmail('x2', 'stolen'), { to: stolen });
    await test.runDueJobs();
    expect((await list(one))[0].events).toHaveLength(2);
    expect(await list(two)).toMatchObject([{ events: [{ message: 'stolen' }] }]);
  });
});
