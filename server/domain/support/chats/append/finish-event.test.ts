import { beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
import { agentScope, buildChat, customerScope, messageDraft } from '#server/testing/builders/chats.ts';
import {
  buildCustomer,
  buildOrganization,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import type { EventDraft } from '../records.ts';
import { sendEvent } from './send-event.ts';

const test = useTestApp();
let organization: TestOrganization;
let customer: TestCustomer;
let chatId: string;
beforeEach(async () => {
  organization = await buildOrganization(test, { online: false });
  customer = await buildCustomer(organization);
  ({ chatId } = await buildChat(organization, customer, { texts: ['Hello?'], continuous: true }));
});

const form: EventDraft = {
  content: {
    type: 'filled_form',
    formId: 'default_ticket',
    formType: 'ticket',
    fields: [
      { type: 'name', id: 'name', label: 'Name:', answer: 'Ann' },
      { type: 'email', id: 'email', label: 'E-mail:', answer: 'ann@home.test' },
      { type: 'subject', id: 'subject', label: 'Subject:', answer: 'A lamp' },
      { type: 'textarea', id: 'message', label: 'Message:', answer: 'It is broken' },
    ],
  },
  visibility: 'all',
  properties: {},
};

/** Stops where a process that is killed right after the commit stops: the event is stored, and nothing else was done. */
const appendOnly = (author: 'agent' | 'customer', draft: EventDraft) =>
  organization.scope.services.support.appendLane.append({
    organizationId: organization.id,
    chatId,
    author:
      author === 'agent' ? { kind: 'agent', id: organization.owner.login } : { kind: 'customer', id: customer.id },
    draft,
    attachToLastThread: false,
    at: test.clock.now(),
    takesOver: author === 'agent',
    opensTicket: draft === form,
  });
const send = (author: 'agent' | 'customer', event: EventDraft) =>
  sendEvent(author === 'agent' ? agentScope(organization, organization.owner) : customerScope(organization, customer), {
    chatId,
    event,
    attachToLastThread: false,
  });
const finishLater = () => test.context.background.scheduler.run('finish-sent-events');
const assignee = async () =>
  (await organization.scope.from('chats').where('id', '=', chatId).select('assigneeId').executeTakeFirstOrThrow())
    .assigneeId;
const takeOvers = async () =>
  (await organization.scope.from('assignments').where('chatId', '=', chatId).select('id').execute()).length;
const tickets = async () => (await organization.scope.from('tickets').select('id').execute()).length;
const unfinished = async () => (await organization.scope.from('eventFollowUps').selectAll().execute()).length;

describe('an answer in a queued chat', () => {
  it('assigns the chat to its author before the request is answered', async () => {
    await send('agent', messageDraft('How can I help?'));
    expect(await assignee()).toBe(organization.owner.login);
    expect(await unfinished()).toBe(0);
  });

  it('assigns the chat once when the process died right after the commit', async () => {
    await appendOnly('agent', messageDraft('How can I help?'));
    expect([await assignee(), await unfinished()]).toEqual([null, 1]);
    await using other = await startTestApp({ beside: test });
    await Promise.all([finishLater(), other.context.background.scheduler.run('finish-sent-events')]);
    await finishLater();
    expect([await assignee(), await takeOvers(), await unfinished()]).toEqual([organization.owner.login, 1, 0]);
  });
});

describe('an offline form', () => {
  it('becomes a ticket before the request is answered', async () => {
    await send('customer', form);
    expect([await tickets(), await unfinished()]).toEqual([1, 0]);
  });

  it('becomes one ticket when the process died right after the commit', async () => {
    await appendOnly('customer', form);
    expect([await tickets(), await unfinished()]).toEqual([0, 1]);
    await finishLater();
    await finishLater();
    expect([await tickets(), await unfinished()]).toEqual([1, 0]);
  });

  it('is accepted although the ticket cannot be created now, and becomes a ticket later', async () => {
    const constrain = (text: string) =>
      test.context.database.query({ text: `alter table tickets ${text}`, values: [] });
    await constrain(`add constraint broken check (organization_id <> '${organization.id}')`);
    await send('customer', form);
    await finishLater();
    expect([await tickets(), await unfinished()]).toEqual([0, 1]);
    await constrain('drop constraint broken');
    await finishLater();
    expect([await tickets(), await unfinished()]).toEqual([1, 0]);
  });
});

describe('a message without follow-up', () => {
  it('leaves nothing to finish', async () => {
    await send('customer', messageDraft('Anyone there?'));
    await send('agent', { ...messageDraft('A note'), visibility: 'agents' });
    expect([await unfinished(), await assignee()]).toEqual([0, null]);
  });
});
