import { randomUUID } from 'node:crypto';
import type { Operation } from '#contracts/operation.ts';
import { EMPTY_MONTH, LOGO } from '../builders/partnerships.ts';
import { PAID_CENTS, REFUNDED_CENTS } from '../builders/payments.ts';
import type { Tenant } from '../builders/tenants.ts';

/** A request that succeeds for the tenant whose IDs it contains. */
export interface ExampleRequest {
  method: Operation['method'];
  path: string;
  query: Record<string, unknown>;
  body?: Record<string, unknown>;
  /** The multipart body of an upload. */
  form?: Buffer;
}

type Example = (tenant: Tenant) => unknown;

const omit: Example = () => undefined;

/** POST requests accept the parameters of a report in the query or the body, so that neither schema requires them. */
const inEitherPart = (field: string, example: Example): Record<string, Example> =>
  Object.fromEntries(
    ['clicks', 'trials', 'conversions', 'earnings', 'commission', 'referred_commission'].map((what) => [
      `get_${what}_report_by_post.${field}!`,
      example,
    ]),
  );

/**
 * Example values by field name or, if a name has several meanings, by `operation.field` or `surface/operation.field`. A trailing
 * `!` means that the operation requires the field although its schema does not. Fields that refer to data of a tenant must be
 * listed here; all other values are generated from the schema.
 */
const examples: Record<string, Example> = {
  organization_id: ({ organization }) => organization.id,
  chat_id: ({ chat }) => chat.chatId,
  'chat-ops/get_chat.chat_id': ({ chat }) => chat.threadId,
  'chat-ops/send_transcript.chat_id': ({ chat }) => chat.threadId,
  'chat-ops/send_transcript.to': () => 'someone@example.test',
  // An ended thread, so that the derived tables change.
  'chat-ops/update_chat_tags.chat_id': ({ archivedThreadId }) => archivedThreadId,
  'chat-ops/update_chat_tags.tag': () => ['parcel'],
  'start_visitor_chat.visitor_id': () => 'unknown-visitor',
  'start_visitor_chat.email': () => 'someone@example.test',
  'get_pending_messages.visitor_id': ({ visitorChat }) => visitorChat.visitorId,
  'send_visitor_message.visitor_id': ({ visitorChat }) => visitorChat.visitorId,
  'close_visitor_chat.visitor_id': ({ visitorChat }) => visitorChat.visitorId,
  secured_session_id: ({ visitorChat }) => visitorChat.secret,
  licence_id: ({ organization }) => organization.licenseNumber,
  last_message_id: omit,
  thread_id: ({ chat }) => chat.threadId,
  event_id: ({ chat }) => chat.eventId,
  'deactivate_chat.id': ({ chat }) => chat.chatId,
  'agent/deactivate_chat.ignore_requester_presence!': () => true,
  'agent/start_chat.chat!': ({ customer, agent, groupId }) => ({
    users: [
      { id: customer.id, type: 'customer' },
      { id: agent.login, type: 'agent' },
    ],
    access: { group_ids: [groupId] },
  }),
  'follow_chat.id': ({ chat }) => chat.chatId,
  'unfollow_chat.id': ({ chat }) => chat.chatId,
  user_id: ({ agent }) => agent.login,
  'list_archives.thread_ids': ({ chat }) => [chat.threadId],
  answer_id: omit,
  'multicast.recipients': ({ agent, customer, groupId }) => ({
    agents: { ids: [agent.login], groups: [groupId] },
    customers: { ids: [customer.id] },
  }),
  'update_chat_properties.id': ({ chat }) => chat.chatId,
  'delete_chat_properties.id': ({ chat }) => chat.chatId,
  'list_group_properties.id': ({ groupId }) => groupId,
  'send_rich_message_postback.event_id': ({ chat }) => chat.richEventId,
  postback: () => ({ id: 'more', toggled: true }),
  'resume_chat.id': ({ archivedChatId }) => archivedChatId,
  'transfer_chat.id': ({ chat }) => chat.chatId,
  target: ({ groupId }) => ({ type: 'group', ids: [groupId] }),
  group: ({ groupId }) => groupId,
  group_id: ({ groupId }) => groupId,
  group_ids: ({ groupId }) => [groupId, 0],
  login: ({ agent }) => agent.login,
  agent: ({ agent }) => agent.login,
  agent_id: ({ agent }) => agent.login,
  visitor_id: ({ customer }) => customer.id,
  customer_id: ({ customer }) => customer.id,
  entity_id: ({ customer }) => customer.id,
  client_id: () => 'a-client',
  'create_ban.customer_id!': ({ customer }) => customer.id,
  'create_ban.ip': omit,
  'update_customer.name!': () => 'Ann Example',
  'get_customer.id': ({ customer }) => customer.id,
  'update_customer.id': ({ customer }) => customer.id,
  'set_customer_session_fields.id': ({ customer }) => customer.id,
  'ban_customer.id': ({ customer }) => customer.id,
  'unban_customer.id!': ({ customer }) => customer.id,
  'unban_customer.ip': omit,
  'invite_customer.id': ({ silentCustomer }) => silentCustomer.id,
  'get_customer_history.id': ({ customer }) => customer.id,
  'follow_customer.id': ({ customer }) => customer.id,
  'unfollow_customer.id': ({ customer }) => customer.id,
  'list_customers.customer_id': ({ customer }) => ({ values: [customer.id] }),
  'list_customers.chat_group_ids': ({ groupId }) => ({ values: [groupId, 0] }),
  'get_bot.id': ({ bot }) => bot.id,
  'update_bot.id': ({ bot }) => bot.id,
  'delete_bot.id': ({ bot }) => bot.id,
  'reset_bot_token.id': ({ bot }) => bot.id,
  'issue_bot_token.bot_id': ({ bot }) => bot.id,
  'create_bot.id': ({ groupId }) => groupId,
  'create_bot.avatar': () => 'https://example.com/bot.png',
  fallback_group_id: () => 0,
  'revoke_token.id': ({ partnerTokenId }) => String(partnerTokenId),
  'create_customer_token.organization_id!': ({ organization }) => organization.id,
  'create_organization.login': () => 'new-owner@shop.test',
  'create_partner.login': () => 'new-partner@shop.test',
  'sign_up.email': () => `new-owner-${randomUUID()}@shop.test`,
  'join.email': () => `new-partner-${randomUUID()}@shop.test`,
  'sign_up.a': ({ partner }) => String(partner.id),
  'join.a': ({ partner }) => String(partner.id),
  partner_id: ({ partner }) => String(partner.id),
  country: () => 'PL',
  zip_code: () => '00-001',
  date_from: () => '2026-01-01',
  date_to: () => '2026-03-31',
  'create_coupon.amount_off_cents': omit,
  'create_coupon.percent_off!': () => 12.5,
  'switch_coupon.id': ({ partnership }) => String(partnership.couponId),
  'pay_withdrawal.id': ({ partnership }) => String(partnership.withdrawalId),
  'reject_withdrawal.id': ({ partnership }) => String(partnership.withdrawalId),
  'change_password.current_password': () => 'a long password',
  coupon_id: ({ partnership }) => partnership.couponId,
  'disable_campaign.campaign_id': ({ partnership }) => String(partnership.campaign.id),
  'disable_campaign_by_slug.campaign_id': ({ partnership }) => partnership.campaign.slug,
  'search_campaigns_by_post.state!': () => 'active',
  ...inEitherPart('date_from', () => '2026-01-01'),
  ...inEitherPart('date_to', () => '2026-03-31'),
  ...inEitherPart('aggregation', () => 'month'),
  next_cursor: omit,
  cursor: omit,
  'create_payment.external_id': ({ payment }) => payment.externalId,
  'create_payment.amount_cents': () => PAID_CENTS,
  payment_external_id: ({ payment }) => payment.externalId,
  'create_refund.external_id': ({ payment }) => payment.refundId,
  'create_refund.amount_cents': () => REFUNDED_CENTS,
  'create_rate.campaign_id': omit,
  invitation_id: ({ invitationId }) => String(invitationId),
  rate_id: ({ partnership }) => String(partnership.rateId),
  'get_statement.month': () => EMPTY_MONTH,
  license_id: ({ partnership }) => partnership.resold.subscribed,
  'create_subscription.license_id': ({ partnership }) => partnership.resold.trial,
  'create_subscription.token': ({ partnership }) => partnership.resold.cardToken,
  'update_subscription_billing.token': ({ partnership }) => partnership.resold.cardToken,
  'close_subscription.password': () => 'a long password',
  'create_reseller_licence.client_email': () => `${randomUUID()}@client.test`,
  invoice_no: ({ partnership }) => String(partnership.resold.invoiceNo),
  'delete_expert_comment.id': ({ partnership }) => String(partnership.commentId),
  'create_expert_profile.categories': () => ['training'],
  'update_expert_profile.categories': () => ['training'],
  'list_experts.status': () => 'pending',
  referred_by: ({ partner }) => String(partner.id),
  event: () => ({ type: 'message', text: 'An example' }),
  timezone: () => 'Europe/Warsaw',
  'update_chat_properties.properties': () => ({ rating: { score: 1 } }),
  'delete_chat_properties.properties': () => ({ rating: ['score'] }),
  'update_thread_properties.properties': () => ({ rating: { score: 1 } }),
  'delete_thread_properties.properties': () => ({ rating: ['score'] }),
  'update_event_properties.properties': () => ({ rating: { score: 1 } }),
  'delete_event_properties.properties': () => ({ rating: ['score'] }),
  greeting_id: ({ greeting }) => greeting.id,
  unique_id: ({ greeting }) => greeting.uniqueId,
  webhook_id: ({ webhook }) => webhook.id,
  'unregister_webhook.id': ({ webhook }) => webhook.id,
  'enable_webhook.id': ({ webhook }) => webhook.id,
  'disable_webhook.id': ({ webhook }) => webhook.id,
  owner_client_id: ({ webhook }) => webhook.ownerClientId,
  'register_webhook.filters': omit,
  'replay_webhook_deliveries.delivery_id!': ({ webhook }) => webhook.deliveryId,
  'replay_webhook_deliveries.webhook_id': omit,
  'replay_failed_mails.mail_id': omit,
  'replay_failed_mails.from!': () => '2026-01-01T00:00:00Z',
  'replay_failed_mails.to!': () => '2026-02-01T00:00:00Z',
  file_id: ({ file }) => file.id,
  'list_group_statuses.all!': () => true,
  'add_visitor_details.license_id': ({ organization }) => organization.licenseNumber,
  'add_visitor_details.token': ({ chatOpsWebhook }) => chatOpsWebhook.token,
  'add_visitor_details.id': () => 'crm',
  'send_beacon.license': ({ organization }) => organization.licenseNumber,
  'send_beacon.visitor_id': ({ customer }) => customer.id,
  'send_beacon.secret': () => 'of-another-browser-than-the-tenants',
  'send_beacon.event': () => 'view',
  'send_beacon.greeting': omit,
  'delete_oauth_client.client_id': ({ oauth }) => oauth.clientId,
  'revoke_oauth_grant.id': ({ oauth }) => oauth.grantId,
  'oauth/issue_tokens.grant_type': () => 'refresh_token',
  'oauth/issue_tokens.client_id!': ({ oauth }) => oauth.clientId,
  'oauth/issue_tokens.client_secret!': ({ oauth }) => oauth.clientSecret,
  'oauth/issue_tokens.refresh_token!': ({ oauth }) => oauth.refreshToken,
  'oauth/issue_tokens.redirect_uri': omit,
  'oauth/issue_tokens.code_verifier': omit,
  'sign_in.password': () => 'a long password',
  'sign_up.password': () => 'a long password',
  'create_organization.password': () => 'a long password',
  'revoke_session.id': ({ session }) => session.id,
  'set_up_two_factor.password': () => 'a long password',
  'reveal_api_key.current_password': () => 'a long password',
  'reveal_api_key.code': omit,
  'renew_recovery_codes.password': () => 'a long password',
  'turn_off_two_factor.password': () => 'a long password',
  'confirm_two_factor.code': ({ devices }) => devices.pendingCode,
  'sign_in_with_code.ticket': ({ devices }) => devices.ticket,
  'sign_in_with_code.code': ({ devices }) => devices.code,
  'sign_in_with_link.token': ({ links }) => links.entry,
  'reset_password.token': ({ links }) => links.reset,
  'reset_password.password': () => 'another long password',
  ticket_id: ({ ticket }) => ticket.id,
  into_ticket_id: ({ ticket }) => ticket.otherId,
  'undo_ticket_merge.ticket_id': ({ ticket }) => ticket.mergedId,
  assignee: ({ agent }) => agent.login,
  assignee_id: ({ agent }) => agent.login,
  'chat-ops/create_ticket.assignee': ({ agent }) => ({ id: agent.login }),
  'chat-ops/create_ticket.group': ({ groupId }) => [groupId],
  'agent/create_ticket.thread_id!': ({ chat }) => chat.threadId,
  'agent/create_ticket.requester!': () => ({ mail: 'someone@example.test' }),
  'confirm_ticket_mail.code': ({ supportAddressCode }) => supportAddressCode,
  'set_ticket_mail.own_address': ({ organization }) => `help-${organization.licenseNumber}@shop.test`,
  'reply_to_ticket.files': omit,
  'add_ticket_note.files': omit,
  'chat-ops/create_agent.login': () => 'new-agent@shop.test',
  'chat-ops/create_group.agents': ({ agent }) => [agent.login],
  'chat-ops/update_group.agents': ({ agent }) => [agent.login],
  'chat-ops/create_agent.groups': ({ groupId }) => [groupId],
  'chat-ops/update_agent.groups': ({ groupId }) => [groupId],
  'chat-ops/update_agent.work_scheduler': omit,
  canned_response_id: ({ cannedResponseId }) => cannedResponseId,
  goal_id: ({ goalId }) => goalId,
  'create_goal.type': () => 'api',
  'update_goal.type': () => 'api',
  sales_tracker_id: omit,
  order_id: omit,
  'create_greeting.rules': () => [{ type: 'visits_number', operator: 'greater_than', value: '1' }],
  'create_tag.author': ({ agent }) => agent.login,
  'create_tag.tag': () => 'another tag',
  'delete_tag.tag': ({ tag }) => tag,
  'delete_tag.group!': ({ groupId }) => groupId,
  'chat-ops/delete_webhook.id': ({ chatOpsWebhook }) => chatOpsWebhook.id,
  page_id: omit,
  // A credential instead of a reference: it authenticates as the tenant.
  code: omit,
  callback: omit,
};

/** Names of fields that may refer to data of a tenant. A generated value for them would test nothing. */
const REFERENCE_NAME = /(^|_)(id|ids|login|token|code|secret)$/;

interface Schema {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  examples?: unknown[];
  default?: unknown;
  anyOf?: Schema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  minItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

const FORMATS: Record<string, string> = {
  email: 'someone@example.test',
  uri: 'https://example.test/',
  date: '2026-03-02',
  'date-time': '2026-03-02T10:00:00.000000Z',
};

const exampleText = (where: string, schema: Schema): string => {
  if (schema.format && FORMATS[schema.format]) return FORMATS[schema.format]!;
  const fits = (text: string): boolean =>
    text.length >= (schema.minLength ?? 0) &&
    text.length <= (schema.maxLength ?? 1e9) &&
    (schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(text));
  const found = ['An example text', '12345', 'EXAMPLE', 'a'].find(fits);
  if (found === undefined) throw missing(where);
  return found;
};

const missing = (where: string): Error =>
  new Error(`No example value for \`${where}\`: add one to \`examples\` in server/testing/http/examples.ts`);

const build = (where: string, schema: Schema, tenant: Tenant, full: boolean): unknown => {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.examples) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.anyOf) return build(where, schema.anyOf.find(({ type }) => type !== 'null')!, tenant, full);
  switch (schema.type) {
    case 'string':
      return exampleText(where, schema);
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1);
    case 'boolean':
      return true;
    case 'array':
      return Array.from({ length: schema.minItems ?? 1 }, () => build(where, schema.items!, tenant, full));
    case 'object':
      return buildFields(where, schema, tenant, full);
    default:
      return 'anything';
  }
};

/** Builds all required fields; `full` adds the optional fields that have an example. */
const buildFields = (where: string, schema: Schema, tenant: Tenant, full: boolean): Record<string, unknown> => {
  const fields: Record<string, unknown> = {};
  const [, operation] = where.split('/') as [string, string];
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const needed = examples[`${where}.${name}!`] ?? examples[`${operation}.${name}!`];
    const example = needed ?? examples[`${where}.${name}`] ?? examples[`${operation}.${name}`] ?? examples[name];
    const isRequired = needed !== undefined || schema.required?.includes(name) === true;
    if (!example && REFERENCE_NAME.test(name) && field.const === undefined) throw missing(`${where}.${name}`);
    if (!isRequired && !(full && (example || field.type === 'object' || field.anyOf))) continue;
    const value = example ? example(tenant) : build(where, field, tenant, full);
    if (value !== undefined) fields[name] = value;
  }
  return fields;
};

const BOUNDARY = 'example-boundary';

const formOf = (name: string, content: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`),
    content,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);

const TEXT_FORM = formOf('example.txt', Buffer.from('An example'));
/** The smallest logo that is accepted. */
const LOGO_FORM = formOf('logo.png', LOGO);

/** The payload of an example and its content type. */
export const contentOf = ({ body, form }: ExampleRequest): { type: string; payload: string | Buffer } | undefined => {
  if (form) return { type: `multipart/form-data; boundary=${BOUNDARY}`, payload: form };
  return body && { type: 'application/json', payload: JSON.stringify(body) };
};

export const exampleOf = (surface: string, operation: Operation, tenant: Tenant, full = false): ExampleRequest => {
  const where = `${surface}/${operation.name}`;
  const params = operation.params ? buildFields(where, operation.params as Schema, tenant, full) : {};
  return {
    method: operation.method,
    path: operation.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name]))),
    query: operation.query ? buildFields(where, operation.query as Schema, tenant, full) : {},
    ...(operation.body
      ? { body: build(where, operation.body as Schema, tenant, full) as Record<string, unknown> }
      : {}),
    ...(operation.upload ? { form: operation.name === 'upload_expert_logo' ? LOGO_FORM : TEXT_FORM } : {}),
  };
};

export const toQueryString = (query: Record<string, unknown>): string =>
  Object.entries(query)
    .flatMap(([name, value]) =>
      Array.isArray(value) ? value.map((one) => [`${name}[]`, one] as const) : [[name, value] as const],
    )
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
