import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { AgentActor } from '#server/domain/access.ts';
import { createConfirmation } from '#server/domain/accounts/addresses/confirmations.ts';
import { createInvitation } from '#server/domain/accounts/invitations/invitations.ts';
import { openOrganizationScope, openPartnerScope, openPlatformScope } from '#server/domain/scope.ts';
import { createBot } from '#server/domain/support/agents/bots/bots.ts';
import { toSessionId } from '#server/domain/support/agents/sign-in/identify.ts';
import { startSession } from '#server/domain/support/agents/sign-in/sessions.ts';
import { createCannedResponse } from '#server/domain/support/canned-responses/manage-canned-responses.ts';
import { sendEvent } from '#server/domain/support/chats/append/send-event.ts';
import { deactivateChat } from '#server/domain/support/chats/lifecycle/deactivate-chat.ts';
import { storeUpload } from '#server/domain/support/files/store-upload.ts';
import { createGoal } from '#server/domain/support/goals/manage-goals.ts';
import { createTag } from '#server/domain/support/tags/manage-tags.ts';
import { createTicket } from '#server/domain/support/tickets/create-ticket.ts';
import { mergeTickets } from '#server/domain/support/tickets/merge-tickets.ts';
import { startVisitorChat } from '#server/domain/support/visitor-chat/start-visitor-chat.ts';
import { createChatOpsWebhook } from '#server/domain/support/webhooks/chat-ops-webhooks.ts';
import { setWebhookEnabled } from '#server/domain/support/webhooks/register.ts';
import { PNG } from '#server/testing/builders/file-contents.ts';
import { buildOauthClient, type TestOauthClient } from '../app/oauth-client.ts';
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
import { buildTwoFactorDevice, signInWithPassword } from './two-factor.ts';
import { buildWebhook } from './webhooks.ts';

export type Kind = 'customer' | 'agent' | 'partner' | 'operator' | 'program';

/** An organization and a partner with data of every kind. All texts contain a unique marker, so that leaks can be detected. */
export interface Tenant {
  organization: TestOrganization;
  agent: TestAgent;
  customer: TestCustomer;
  /** Another customer, who visits pages and has no chat. */
  silentCustomer: TestCustomer;
  partner: { id: number; token: string; login: string };
  groupId: number;
  chat: { chatId: string; threadId: string; eventId: string; richEventId: string };
  archivedChatId: string;
  archivedThreadId: string;
  partnerTokenId: number;
  partnership: Partnership;
  webhook: { id: string; ownerClientId: string; deliveryId: string };
  /** A greeting that the customer was shown. */
  greeting: { id: number; uniqueId: string };
  /** A bot agent. */
  bot: { id: string };
  /** A visitor of the visitor chat API. */
  visitorChat: { visitorId: string; secret: string };
  /** A picture that the customer uploaded. */
  file: { id: string };
  ticket: { id: string; otherId: string; mergedId: string };
  /** An OAuth client that the agent authorized. */
  oauth: TestOauthClient;
  /** A webhook of the operations API for started chats. */
  chatOpsWebhook: { id: string; token: string };
  payment: TestPayment;
  /** A console session of the agent. */
  session: { id: string; cookie: string };
  /** The agent has an unconfirmed device; the owner has passed the password step of sign-in and must enter a code. */
  devices: { pendingCode: string; ticket: string; code: string };
  /** Secrets of email links of the agent. */
  links: { reset: string; entry: string };
  /** Confirms the support address that the organization claims. */
  supportAddressCode: string;
  /** An unused invitation of the operator. */
  invitationId: number;
  goalId: number;
  cannedResponseId: number;
  /** A tag of the group. */
  tag: string;
  /** Values of Authorization headers. */
  credentials: Record<Exclude<Kind, 'operator'>, string>;
  /** Texts that no other tenant may read; other customers must not read those of the customer either. */
  secrets: { customer: string[]; all: string[] };
}

const writeMarkers = async (
  test: TestApp,
  tenant: Omit<Tenant, 'secrets' | 'credentials'>,
  marker: string,
  customerMarker: string,
) => {
  const { organization, customer, partner, agent } = tenant;
  const { kysely } = test.context.database;
  const { scope } = organization;
  await kysely.updateTable('organizations').where('id', '=', organization.id).set({ name: marker }).execute();
  await kysely
    .updateTable('partners')
    .where('id', '=', partner.id)
    .set({
      firstName: marker,
      lastName: marker,
      contactName: marker,
      contactEmail: `${marker}@partner.test`,
      websites: [marker],
    })
    .execute();
  await scope.update('agents').where('id', '=', agent.login).set({ name: marker, jobTitle: marker }).execute();
  await scope.update('groups').set({ name: marker }).execute();
  await scope
    .update('customers')
    .where('id', '=', customer.id)
    .set({
      name: customerMarker,
      email: `${customerMarker}@mail.test`,
      sessionFields: JSON.stringify([{ x: customerMarker }]),
    })
    .execute();
};

/** Disables the webhook, so that its pending delivery is never sent, and returns the delivery ID. */
const stopDelivery = async ({ scope }: TestOrganization, webhookId: string): Promise<string> => {
  await setWebhookEnabled(scope, { id: webhookId, enabled: false });
  const { id } = await scope
    .from('webhookDeliveries')
    .where('webhookId', '=', webhookId)
    .select('id')
    .executeTakeFirstOrThrow();
  return id;
};

/** Creates a disabled webhook of the operations API. */
const buildChatOpsWebhook = async (organization: TestOrganization, url: string): Promise<Tenant['chatOpsWebhook']> => {
  const { id, token } = await createChatOpsWebhook(agentScope(organization, organization.owner, 'owner'), {
    eventType: 'chat_started',
    dataTypes: ['chat'],
    url,
  });
  await setWebhookEnabled(organization.scope, { id, enabled: false });
  return { id, token: token! };
};

/** Creates two tickets, and a third that is merged into the second. */
const buildTickets = async ({ id, owner, scope }: TestOrganization, marker: string): Promise<Tenant['ticket']> => {
  const open = async () => {
    const requester = { mail: `${marker}@mail.test`, name: marker };
    return (await createTicket(scope, { requester, message: marker, subject: marker, source: { type: 'lc2' } })).id;
  };
  const ids = { id: await open(), otherId: await open(), mergedId: await open() };
  const actor: AgentActor = { kind: 'agent', id: owner.login, permission: 'owner', groupIds: [0] };
  await mergeTickets(openOrganizationScope(scope.services, actor, id), {
    ticketId: ids.mergedId,
    into: ids.otherId,
  });
  return ids;
};

const createAgentContent = async (
  organization: TestOrganization,
  agent: TestAgent,
  groupId: number,
  marker: string,
) => {
  const scope = agentScope(organization, agent);
  const { id: cannedResponseId } = await createCannedResponse(scope, { text: marker, tags: [marker] });
  const { name: tag } = await createTag(scope, { author: agent.login, name: marker, groupId });
  return { cannedResponseId, tag };
};

const buildVisitorChat = async ({ id, scope }: TestOrganization): Promise<Tenant['visitorChat']> => {
  const visitorId = `visitor-${randomUUID()}`;
  const input = { organizationId: id, visitorId, welcomeMessage: 'Hello', ip: '192.0.2.1' };
  const started = await startVisitorChat(scope.services, input);
  if (!('secret' in started)) throw new Error('The visitor must not be banned');
  return { visitorId, secret: started.secret };
};

const startTestSession = async ({ scope }: TestOrganization, { login }: TestAgent): Promise<Tenant['session']> => {
  const { secret } = await startSession(scope, { login });
  return { id: toSessionId(scope.services.secrets.hash(secret)), cookie: secret };
};

const buildDevices = async ({ owner, scope }: TestOrganization, agent: TestAgent): Promise<Tenant['devices']> => {
  const pending = await buildTwoFactorDevice(scope, agent.login, { confirmed: false });
  const confirmed = await buildTwoFactorDevice(scope, owner.login);
  const ticket = await signInWithPassword(scope, owner.login);
  return { pendingCode: pending.code(), ticket, code: confirmed.code() };
};

const claimSupportAddress = ({ id, licenseNumber, scope }: TestOrganization): Promise<string> =>
  scope.transaction(async (tx) => {
    const address = `support-${licenseNumber}@shop.test`;
    await tx.db.updateTable('organizations').where('id', '=', id).set({ claimedMailAddress: address }).execute();
    return createConfirmation(tx, { kind: 'support_address', ownerId: id, subjectId: '', address });
  });

export const buildTenant = async (test: TestApp): Promise<Tenant> => {
  const marker = `mark-${randomUUID()}`;
  const customerMarker = `mine-${randomUUID()}`;
  const [organization, partner] = await Promise.all([buildOrganization(test), buildPartner(test)]);
  const groupId = await buildGroup(organization, 3);
  const [agent, customer] = await Promise.all([
    buildAgent(organization, { groupIds: [groupId], permission: 'administrator' }),
    buildCustomer(organization),
  ]);
  const hook = await buildWebhook(organization, { url: `https://${marker}.test/` });
  const { id: goalId } = await createGoal(organization.scope, { name: marker, condition: { type: 'api' } });
  const agentContent = await createAgentContent(organization, agent, groupId, marker);
  const { id: greetingId } = await buildGreeting(organization, { name: marker, message: customerMarker });
  const greeting = { id: greetingId, uniqueId: (await greet(organization, customer))! };
  const { chatId, threadId, eventIds } = await buildChat(organization, customer, { texts: [customerMarker] });
  const rich = await sendEvent(customerScope(organization, customer), {
    chatId,
    event: richDraft('more'),
    attachToLastThread: false,
  });
  await joinChat(organization, agent, chatId);
  const answer = { chatId, event: messageDraft('May I help?'), attachToLastThread: false };
  await sendEvent(agentScope(organization, agent), answer);
  const archived = await buildChat(organization, customer, { texts: [customerMarker] });
  await deactivateChat(customerScope(organization, customer), { chatId: archived.chatId });
  const webhook = { ...hook, deliveryId: await stopDelivery(organization, hook.id) };
  const file = await storeUpload(customerScope(organization, customer), test.context.ports.files, {
    name: 'picture.png',
    declaredType: 'image/png',
    content: Readable.from([PNG]),
  });
  const partnerRows = openPartnerScope(test.context.services, { kind: 'partner', id: partner.id }, partner.id);
  const { id: partnerTokenId } = await partnerRows.from('partnerTokens').select('id').executeTakeFirstOrThrow();
  const partnership = await buildPartnership(test, partner, marker);
  const at = organization.scope.now();
  await refer(test, partner, organization, {
    ...{ campaignId: partnership.campaign.id, utmMedium: marker, utmTerm: marker },
    // Milestones that could also be read from the tracking of the website.
    ...{ installedAt: at, qualifiedAt: at, tenthChatAt: at },
  });
  const bot = await createBot(organization.scope, { name: marker, groupIds: [groupId] });
  const ticket = await buildTickets(organization, marker);
  const oauth = await buildOauthClient(test, organization, agent, ['reports_read'], marker);
  const chatOpsWebhook = await buildChatOpsWebhook(organization, `https://${marker}.test/`);
  const visitorChat = await buildVisitorChat(organization);
  const payment = await buildPayment(test, organization);
  const session = await startTestSession(organization, agent);
  const devices = await buildDevices(organization, agent);
  const silentCustomer = await buildCustomer(organization);
  const links = {
    reset: await buildLink(organization.scope, agent.login, 'reset'),
    entry: await buildLink(organization.scope, agent.login, 'sign_in'),
  };
  const platform = openPlatformScope(test.context.services, { kind: 'system' });
  const { id: invitationId } = await createInvitation(platform, { kind: 'organization' });
  const tenant = {
    organization,
    payment,
    invitationId,
    supportAddressCode: await claimSupportAddress(organization),
    session,
    devices,
    links,
    silentCustomer,
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
    archivedThreadId: archived.threadId,
    partnerTokenId,
    partnership,
    webhook,
    ...agentContent,
    goalId,
    greeting,
    file,
  };
  await writeMarkers(test, tenant, marker, customerMarker);
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
      customer: [customerMarker, customer.token],
      all: [marker, customerMarker, customer.token, ...tokens],
    },
  };
};
