import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { createBot } from '#server/domain/agents/bots.ts';
import { deactivateChat } from '#server/domain/chats/deactivate-chat.ts';
import { sendEvent } from '#server/domain/chats/send-event.ts';
import { storeUpload } from '#server/domain/files/store-upload.ts';
import { PNG } from '#server/domain/files/testing-contents.ts';
import { createGoal } from '#server/domain/goals/manage-goals.ts';
import { openPartnerScope } from '#server/domain/scope.ts';
import { setWebhookEnabled } from '#server/domain/webhooks/register.ts';
import { buildChat, customerScope, joinChat, richDraft } from './chats.ts';
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
import type { TestApp } from './start-app.ts';
import { buildWebhook } from './webhooks.ts';

export type Kind = 'customer' | 'agent' | 'partner' | 'operator';

/** An organization and a partner with something of everything, each text of it recognisable wherever it turns up. */
export interface Tenant {
  organization: TestOrganization;
  agent: TestAgent;
  customer: TestCustomer;
  partner: { id: number; token: string; login: string };
  groupId: number;
  chat: { chatId: string; threadId: string; eventId: string; richEventId: string };
  archivedChatId: string;
  partnerTokenId: number;
  webhook: { id: string; ownerClientId: string; deliveryId: string };
  /** One that the customer was shown. */
  greeting: { id: number; uniqueId: string };
  /** An agent that is a program. */
  bot: { id: string };
  /** A picture that the customer uploaded. */
  file: { id: string };
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
  await createGoal(organization.scope, { name: mark, condition: { type: 'api' } });
  const { id: greetingId } = await buildGreeting(organization, { name: mark, message: customerMark });
  const greeting = { id: greetingId, uniqueId: (await greet(organization, customer))! };
  const { chatId, threadId, eventIds } = await buildChat(organization, customer, { texts: [customerMark] });
  const rich = await sendEvent(customerScope(organization, customer), {
    chatId,
    event: richDraft('more'),
    attachToLastThread: false,
  });
  await joinChat(organization, agent, chatId);
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
  const bot = await createBot(organization.scope, { name: mark, groupIds: [groupId] });
  const tenant = {
    organization,
    agent,
    bot,
    customer,
    partner,
    groupId,
    chat: { chatId, threadId, eventId: eventIds[0]!, richEventId: rich.eventId },
    archivedChatId: archived.chatId,
    partnerTokenId,
    webhook,
    greeting,
    file,
  };
  await plant(test, tenant, mark, customerMark);
  const tokens = [organization.owner.apiKey, agent.apiKey, partner.token, partner.login];
  return {
    ...tenant,
    credentials: {
      customer: `Bearer ${customer.token}`,
      agent: agent.basic,
      partner: `Bearer ${partner.token}`,
    },
    secrets: {
      customer: [customerMark, customer.token],
      all: [mark, customerMark, customer.token, ...tokens],
    },
  };
};
