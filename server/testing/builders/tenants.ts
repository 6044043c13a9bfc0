import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { AgentActor } from '#server/domain/access.ts';
import { openOrganizationScope, openPartnerScope } from '#server/domain/scope.ts';
import { createBot } from '#server/domain/support/agents/bots/bots.ts';
import { toSessionId } from '#server/domain/support/agents/sign-in/identify.ts';
import { startSession } from '#server/domain/support/agents/sign-in/sessions.ts';
import { createCannedResponse } from '#server/domain/support/canned-responses/manage-canned-responses.ts';
import { sendEvent } from '#server/domain/support/chats/append/send-event.ts';
import { deactivateChat } from '#server/domain/support/chats/lifecycle/deactivate-chat.ts';
import { storeUpload } from '#server/domain/support/files/store-upload.ts';
import { createGoal } from '#server/domain/support/goals/manage-goals.ts';
import { createTag } from '#server/domain/support/tags/manage-tags.ts';
import { createTicket } from '#server/domain/support/tickets/work/create-ticket.ts';
import { mergeTickets } from '#server/domain/support/tickets/work/merge-tickets.ts';
import { startVisitorChat } from '#server/domain/support/visitor-chat/start-visitor-chat.ts';
import { createChatOpsWebhook } from '#server/domain/support/webhooks/chat-ops-webhooks.ts';
import { setWebhookEnabled } from '#server/domain/support/webhooks/register.ts';
import { PNG } from '#server/testing/builders/file-contents.ts';
import { buildProgram, type TestProgram } from '../app/programs.ts';
import type { TestApp } from '../app/start-app.ts';
import { agentScope, buildChat, customerScope, joinChat, messageDraft, richDraft } from './chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildGroup,
  buildOrganization,
  buildPartner,
  type TestAgent,
  type TestCustomer,
  type TestOrganization,
} from './factories.ts';
import { buildGreeting, greet } from './greetings.ts';
import { buildLink } from './links.ts';
import { buildPartnership, type Partnership } from './partnerships.ts';
import { buildPayment, type TestPayment } from './payments.ts';
import { refer } from './referrals.ts';
import { buildDevice, passFirstStep } from './two-factor.ts';
import { buildWebhook } from './webhooks.ts';

export type Kind = 'customer' | 'agent' | 'partner' | 'operator' | 'program';

/** An organization and a partner with something of everything, each text of it recognisable wherever it turns up. */
export interface Tenant {
  organization: TestOrganization;
  agent: TestAgent;
  customer: TestCustomer;
  /** Another customer, who looks at pages and says nothing. */
  onlooker: TestCustomer;
  partner: { id: number; token: string; login: string };
  groupId: number;
  chat: { chatId: string; threadId: string; eventId: string; richEventId: string };
  archivedChatId: string;
  partnerTokenId: number;
  partnership: Partnership;
  webhook: { id: string; ownerClientId: string; deliveryId: string };
  /** One that the customer was shown. */
  greeting: { id: number; uniqueId: string };
  /** An agent that is a program. */
  bot: { id: string };
  /** Somebody who chats without a widget. */
  visitorChat: { visitorId: string; secret: string };
  /** A picture that the customer uploaded. */
  file: { id: string };
  ticket: { id: string; otherId: string; mergedId: string };
  /** A program that the agent let in. */
  oauth: TestProgram;
  /** Of the operations API; it tells of chats that begin. */
  chatOpsWebhook: { id: string; token: string };
  payment: TestPayment;
  /** A browser that the agent is signed in with. */
  session: { id: string; cookie: string };
  /** The agent has yet to confirm its device; the owner has to show a code of its own. */
  devices: { pendingCode: string; ticket: string; code: string };
  /** Secrets of links that the agent got. */
  links: { reset: string; entry: string };
  goalId: number;
  cannedResponseId: number;
  /** A tag of the group. */
  tag: string;
  /** Ready for an Authorization header. */
  credentials: Record<Exclude<Kind, 'operator'>, string>;
  /** Nobody outside may ever read these; the customer's own are hidden from other customers too. */
  secrets: { customer: string[]; all: string[] };
}

const plant = async (
  test: TestApp,
  tenant: Omit<Tenant, 'secrets' | 'credentials'>,
  mark: string,
  customerMark: string,
) => {
  const { organization, customer, partner, agent } = tenant;
  const { kysely } = test.context.database;
  const { scope } = organization;
  await kysely.updateTable('organizations').where('id', '=', organization.id).set({ name: mark }).execute();
  await kysely
    .updateTable('partners')
    .where('id', '=', partner.id)
    .set({ firstName: mark, lastName: mark, contactName: mark, contactEmail: `${mark}@partner.test`, websites: [mark] })
    .execute();
  await scope.update('agents').where('id', '=', agent.login).set({ name: mark, jobTitle: mark }).execute();
  await scope.update('groups').set({ name: mark }).execute();
  await scope
    .update('customers')
    .where('id', '=', customer.id)
    .set({
      name: customerMark,
      email: `${customerMark}@mail.test`,
      sessionFields: JSON.stringify([{ x: customerMark }]),
    })
    .execute();
};

/** One message that rests: nothing calls out for a tenant that only stands there. */
const holdDelivery = async ({ scope }: TestOrganization, webhookId: string): Promise<string> => {
  await setWebhookEnabled(scope, { id: webhookId, enabled: false });
  const { id } = await scope
    .from('webhookDeliveries')
    .where('webhookId', '=', webhookId)
    .select('id')
    .executeTakeFirstOrThrow();
  return id;
};

/** It stands still, like the other one. */
const buildChatOpsWebhook = async (organization: TestOrganization, url: string): Promise<Tenant['chatOpsWebhook']> => {
  const { id, token } = await createChatOpsWebhook(agentScope(organization, organization.owner, 'owner'), {
    eventType: 'chat_started',
    dataTypes: ['chat'],
    url,
  });
  await setWebhookEnabled(organization.scope, { id, enabled: false });
  return { id, token: token! };
};

/** Two that stand, and one that is merged into the second. */
const buildTickets = async ({ id, owner, scope }: TestOrganization, mark: string): Promise<Tenant['ticket']> => {
  const open = async () => {
    const requester = { mail: `${mark}@mail.test`, name: mark };
    return (await createTicket(scope, { requester, message: mark, subject: mark, source: { type: 'lc2' } })).id;
  };
  const ids = { id: await open(), otherId: await open(), mergedId: await open() };
  const actor: AgentActor = { kind: 'agent', id: owner.login, permission: 'owner', groupIds: [0] };
  await mergeTickets(openOrganizationScope(scope.services, actor, id), {
    ticketId: ids.mergedId,
    into: ids.otherId,
  });
  return ids;
};

/** What an agent's name stands on. */
const plantBelongings = async (organization: TestOrganization, agent: TestAgent, groupId: number, mark: string) => {
  const scope = agentScope(organization, agent);
  const { id: cannedResponseId } = await createCannedResponse(scope, { text: mark, tags: [mark] });
  const { name: tag } = await createTag(scope, { author: agent.login, name: mark, groupId });
  return { cannedResponseId, tag };
};

const buildVisitorChat = async ({ id, scope }: TestOrganization): Promise<Tenant['visitorChat']> => {
  const visitorId = `visitor-${randomUUID()}`;
  const input = { organizationId: id, visitorId, welcomeMessage: 'Hello', ip: '192.0.2.1' };
  const started = await startVisitorChat(scope.services, input);
  if (!('secret' in started)) throw new Error('Nobody is banned here');
  return { visitorId, secret: started.secret };
};

const startTestSession = async ({ scope }: TestOrganization, { login }: TestAgent): Promise<Tenant['session']> => {
  const { secret } = await startSession(scope, { login });
  return { id: toSessionId(scope.services.secrets.hash(secret)), cookie: secret };
};

const buildDevices = async ({ owner, scope }: TestOrganization, agent: TestAgent): Promise<Tenant['devices']> => {
  const pending = await buildDevice(scope, agent.login, { confirmed: false });
  const confirmed = await buildDevice(scope, owner.login);
  const ticket = await passFirstStep(scope, owner.login);
  return { pendingCode: pending.code(), ticket, code: confirmed.code() };
};

export const buildTenant = async (test: TestApp): Promise<Tenant> => {
  const mark = `mark-${randomUUID()}`;
  const customerMark = `mine-${randomUUID()}`;
  const [organization, partner] = await Promise.all([buildOrganization(test), buildPartner(test)]);
  const groupId = await buildGroup(organization, 3);
  const [agent, customer] = await Promise.all([
    buildAgent(organization, { groupIds: [groupId], permission: 'administrator' }),
    buildCustomer(organization),
  ]);
  const hook = await buildWebhook(organization, { url: `https://${mark}.test/` });
  const { id: goalId } = await createGoal(organization.scope, { name: mark, condition: { type: 'api' } });
  const belongings = await plantBelongings(organization, agent, groupId, mark);
  const { id: greetingId } = await buildGreeting(organization, { name: mark, message: customerMark });
  const greeting = { id: greetingId, uniqueId: (await greet(organization, customer))! };
  const { chatId, threadId, eventIds } = await buildChat(organization, customer, { texts: [customerMark] });
  const rich = await sendEvent(customerScope(organization, customer), {
    chatId,
    event: richDraft('more'),
    attachToLastThread: false,
  });
  await joinChat(organization, agent, chatId);
  const answer = { chatId, event: messageDraft('May I help?'), attachToLastThread: false };
  await sendEvent(agentScope(organization, agent), answer);
  const archived = await buildChat(organization, customer, { texts: [customerMark] });
  await deactivateChat(customerScope(organization, customer), { chatId: archived.chatId });
  const webhook = { ...hook, deliveryId: await holdDelivery(organization, hook.id) };
  const file = await storeUpload(customerScope(organization, customer), test.context.files, {
    name: 'picture.png',
    declaredType: 'image/png',
    content: Readable.from([PNG]),
  });
  const partnerRows = openPartnerScope(test.context.services, { kind: 'partner', id: partner.id }, partner.id);
  const { id: partnerTokenId } = await partnerRows.from('partnerTokens').select('id').executeTakeFirstOrThrow();
  const partnership = await buildPartnership(test, partner, mark);
  const at = organization.scope.now();
  await refer(test, partner, organization, {
    ...{ campaignId: partnership.campaign.id, utmMedium: mark, utmTerm: mark },
    // All that a page seen on the web could still tell of it.
    ...{ installedAt: at, qualifiedAt: at, tenthChatAt: at },
  });
  const bot = await createBot(organization.scope, { name: mark, groupIds: [groupId] });
  const ticket = await buildTickets(organization, mark);
  const oauth = await buildProgram(test, organization, agent, ['reports_read'], mark);
  const chatOpsWebhook = await buildChatOpsWebhook(organization, `https://${mark}.test/`);
  const visitorChat = await buildVisitorChat(organization);
  const payment = await buildPayment(test, organization);
  const session = await startTestSession(organization, agent);
  const devices = await buildDevices(organization, agent);
  const onlooker = await buildCustomer(organization);
  const links = {
    reset: await buildLink(organization.scope, agent.login, 'reset'),
    entry: await buildLink(organization.scope, agent.login, 'sign_in'),
  };
  const tenant = {
    organization,
    payment,
    session,
    devices,
    links,
    onlooker,
    visitorChat,
    ticket,
    chatOpsWebhook,
    oauth,
    agent,
    bot,
    customer,
    partner,
    groupId,
    chat: { chatId, threadId, eventId: eventIds[0]!, richEventId: rich.eventId },
    archivedChatId: archived.chatId,
    partnerTokenId,
    partnership,
    webhook,
    ...belongings,
    goalId,
    greeting,
    file,
  };
  await plant(test, tenant, mark, customerMark);
  const tokens = [
    oauth.accessToken,
    oauth.refreshToken,
    oauth.clientSecret,
    organization.owner.apiKey,
    agent.apiKey,
    partner.token,
    partner.login,
    session.cookie,
  ];
  return {
    ...tenant,
    credentials: {
      customer: `Bearer ${customer.token}`,
      agent: agent.basic,
      partner: `Bearer ${partner.token}`,
      program: `Bearer ${oauth.accessToken}`,
    },
    secrets: {
      customer: [customerMark, customer.token],
      all: [mark, customerMark, customer.token, ...tokens],
    },
  };
};
