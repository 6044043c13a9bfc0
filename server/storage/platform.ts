import type { Executor } from './executor.ts';
import { PLATFORM_MARK } from './guard.ts';
import type { Permission } from './tables/agents.ts';
import type { LicenseStatus } from './tables/organizations.ts';

/**
 * Queries that run before the owner is known: they find the owner of a credential, or owners with pending work. Credentials
 * are found by a unique keyed hash, and results identify only the owner.
 */
const queryFirst = async <Row extends object>(
  executor: Executor,
  name: string,
  text: string,
  values: unknown[],
): Promise<Row | undefined> => (await executor.query<Row>({ name, text: `${PLATFORM_MARK} ${text}`, values })).rows[0];

export interface CustomerCredential {
  organizationId: string;
  customerId: string;
  clientId: string;
  expiresAt: Date;
  bannedUntil: Date | null;
  /** The end of the ban of the requesting address. */
  addressBannedUntil: Date | null;
  licenseStatus: LicenseStatus;
  productVersion: number;
}

export const findCustomerToken = (executor: Executor, hash: Buffer, ip: string | undefined) =>
  queryFirst<CustomerCredential>(
    executor,
    'find_customer_token',
    `select t.organization_id as "organizationId", t.customer_id as "customerId", t.client_id as "clientId", t.expires_at as "expiresAt",
       c.banned_until as "bannedUntil", o.status as "licenseStatus", o.product_version as "productVersion",
       (select max(b.until) from bans b where b.organization_id = t.organization_id and b.ip = $2) as "addressBannedUntil"
     from customer_tokens t
     join customers c on c.organization_id = t.organization_id and c.id = t.customer_id
     join organizations o on o.id = t.organization_id
     where t.id = $1`,
    [hash, ip ?? null],
  );

/** The agent whose account an emailed link activates. */
export const findAgentEmailToken = (executor: Executor, hash: Buffer) =>
  queryFirst<{ organizationId: string }>(
    executor,
    'find_agent_email_token',
    `select l.organization_id as "organizationId" from agent_email_tokens l where l.id = $1`,
    [hash],
  );

export interface AgentCredential {
  organizationId: string;
  login: string;
  permission: Permission;
  groupIds: number[];
  licenseStatus: LicenseStatus;
}

export const findAgentApiKey = (executor: Executor, hash: Buffer) =>
  queryFirst<AgentCredential>(
    executor,
    'find_agent_api_key',
    `select a.organization_id as "organizationId", a.id as login, a.permission, o.status as "licenseStatus",
       array(select g.group_id from agent_groups g where g.organization_id = a.organization_id and g.agent_id = a.id) as "groupIds"
     from agents a join organizations o on o.id = a.organization_id
     where a.api_key_hash = $1 and a.deleted_at is null`,
    [hash],
  );

export interface PartnerCredential {
  partnerId: number;
  tokenId: number;
  blocked: boolean;
}

export const findPartnerToken = (executor: Executor, hash: Buffer) =>
  queryFirst<PartnerCredential>(
    executor,
    'find_partner_token',
    `select t.partner_id as "partnerId", t.id as "tokenId", p.blocked
     from partner_tokens t join partners p on p.id = t.partner_id
     where t.token_hash = $1 and t.revoked_at is null`,
    [hash],
  );

export interface DueWebhook {
  organizationId: string;
  webhookId: string;
}

/** Webhooks with a delivery that may be sent, in random order, so that none is always first. */
export const findDueWebhooks = async (
  executor: Executor,
  { now, except, limit }: { now: Date; except: string[]; limit: number },
): Promise<DueWebhook[]> => {
  const { rows } = await executor.query<DueWebhook>({
    name: 'find_due_webhooks',
    text: `${PLATFORM_MARK}
      select w.organization_id as "organizationId", w.id as "webhookId" from webhooks w
      where w.enabled and (w.leased_until is null or w.leased_until <= $1) and w.id <> all($2) and exists (
        select from webhook_deliveries d
        where d.organization_id = w.organization_id and d.webhook_id = w.id and d.state = 'pending' and d.next_attempt_at <= $1
          and not exists (
            select from webhook_deliveries e
            where e.organization_id = d.organization_id and e.webhook_id = d.webhook_id and e.chat_id = d.chat_id
              and e.state = 'pending' and e.sequence < d.sequence and e.next_attempt_at > $1))
      order by random() limit $3`,
    values: [now, except, limit],
  });
  return rows;
};

const listOrganizations = async (executor: Executor, name: string, text: string, until: Date): Promise<string[]> => {
  const { rows } = await executor.query<{ organizationId: string }>({
    name,
    text: `${PLATFORM_MARK} ${text}`,
    values: [until],
  });
  return rows.map(({ organizationId }) => organizationId);
};

/** Organizations with uploads older than `until` that no event uses; at most 100. */
export const findOrganizationsWithUnusedFiles = (executor: Executor, until: Date): Promise<string[]> =>
  listOrganizations(
    executor,
    'find_organizations_with_unused_files',
    `select distinct f.organization_id as "organizationId" from files f
     where f.used_at is null and f.created_at <= $1 limit 100`,
    until,
  );

/** Organizations with expired tokens or transcript records; at most 100 per table. */
export const findOrganizationsWithEndedTokens = (executor: Executor, until: Date): Promise<string[]> =>
  listOrganizations(
    executor,
    'find_organizations_with_ended_tokens',
    `(select distinct t.organization_id as "organizationId" from customer_tokens t where t.expires_at <= $1 limit 100)
     union (select t.organization_id from oauth_tokens t where t.expires_at <= $1 limit 100)
     union (select c.organization_id from oauth_codes c where c.expires_at <= $1 limit 100)
     union (select s.organization_id from agent_sessions s where s.expires_at <= $1 limit 100)
     union (select v.organization_id from visitor_sessions v where v.expires_at <= $1 limit 100)
     union (select m.organization_id from transcript_mails m where m.created_at <= $1 - interval '1 hour' limit 100)`,
    until,
  );

export interface OauthClientRow {
  organizationId: string;
  id: string;
  name: string;
  secretHash: Buffer | null;
  redirectUris: string[];
  scopes: string[];
}

/** The OAuth client of an authorization request. */
export const findOauthClient = (executor: Executor, id: string) =>
  queryFirst<OauthClientRow>(
    executor,
    'find_oauth_client',
    `select c.organization_id as "organizationId", c.id, c.name, c.secret_hash as "secretHash",
       c.redirect_uris as "redirectUris", c.scopes
     from oauth_clients c where c.id = $1`,
    [id],
  );

export interface OauthTokenRow extends AgentCredential {
  kind: 'access' | 'refresh';
  clientId: string;
  familyId: string;
  scopes: string[];
  expiresAt: Date;
  usedAt: Date | null;
}

const AGENT = `a.organization_id as "organizationId", a.id as login, a.permission, o.status as "licenseStatus",
  array(select g.group_id from agent_groups g where g.organization_id = a.organization_id and g.agent_id = a.id) as "groupIds"`;

/** The agent of an OAuth access token. */
export const findOauthToken = (executor: Executor, hash: Buffer) =>
  queryFirst<OauthTokenRow>(
    executor,
    'find_oauth_token',
    `select ${AGENT}, t.kind, t.client_id as "clientId", t.family_id as "familyId", t.scopes, t.expires_at as "expiresAt",
       t.used_at as "usedAt"
     from oauth_tokens t
     join agents a on a.organization_id = t.organization_id and a.id = t.agent_id and a.deleted_at is null
     join organizations o on o.id = t.organization_id
     where t.id = $1`,
    [hash],
  );

/** The agent of a session cookie. */
export const findAgentSession = (executor: Executor, hash: Buffer) =>
  queryFirst<AgentCredential & { expiresAt: Date; usedAt: Date }>(
    executor,
    'find_agent_session',
    `select ${AGENT}, s.expires_at as "expiresAt", coalesce(s.last_used_at, s.created_at) as "usedAt"
     from agent_sessions s
     join agents a on a.organization_id = s.organization_id and a.id = s.agent_id and a.deleted_at is null
     join organizations o on o.id = s.organization_id
     where s.id = $1`,
    [hash],
  );

export interface PasswordRow {
  organizationId: string;
  organizationName: string;
  login: string;
  passwordHash: string;
}

/**
 * All accounts with this login, optionally of one organization. A person may be an agent in several organizations.
 * Those with a confirmed address are first, because anyone can create an account that names the address.
 */
export const findPasswords = async (
  executor: Executor,
  { login, organizationId }: { login: string; organizationId?: string | undefined },
  limit: number,
): Promise<PasswordRow[]> => {
  const { rows } = await executor.query<PasswordRow>({
    name: 'find_passwords',
    text: `${PLATFORM_MARK}
      select a.organization_id as "organizationId", o.name as "organizationName", a.id as login,
        a.password_hash as "passwordHash"
      from agents a join organizations o on o.id = a.organization_id
      where a.id = $1 and a.deleted_at is null and a.password_hash is not null and ($3::uuid is null or a.organization_id = $3)
      order by a.address_confirmed_at is null, a.created_at, a.organization_id limit $2`,
    values: [login, limit, organizationId ?? null],
  });
  return rows;
};

export interface DueMail {
  organizationId: string;
  id: string;
  envelopeFrom: string;
  recipients: string[];
  storageKey: string;
  /** Includes the current attempt. */
  attempts: number;
}

/** Claims the email that has waited longest. Other processes skip it until `until`. */
export const claimWaitingMail = (executor: Executor, now: Date, until: Date): Promise<DueMail | undefined> =>
  queryFirst(
    executor,
    'claim_waiting_mail',
    `update incoming_mails m set attempts = m.attempts + 1, next_attempt_at = $2
     from (
       select organization_id, id from incoming_mails
       where filed_at is null and next_attempt_at <= $1
       order by next_attempt_at limit 1 for update skip locked
     ) due
     where m.organization_id = due.organization_id and m.id = due.id
     returning m.organization_id as "organizationId", m.id, m.envelope_from as "envelopeFrom", m.recipients,
       m.storage_key as "storageKey", m.attempts`,
    [now, until],
  );

/** Sets the time of the next attempt. */
export const postponeMail = async (
  executor: Executor,
  { organizationId, id }: Pick<DueMail, 'organizationId' | 'id'>,
  until: Date,
): Promise<void> => {
  await executor.query({
    name: 'postpone_mail',
    text: `update incoming_mails m set next_attempt_at = $3
       where m.organization_id = $1 and m.id = $2 and m.filed_at is null`,
    values: [organizationId, id, until],
  });
};

/** The organizations that have a customer with this id. */
export const findCustomerOrganizations = async (executor: Executor, customerId: string): Promise<string[]> => {
  const { rows } = await executor.query<{ organizationId: string }>({
    name: 'find_customer_organizations',
    text: `${PLATFORM_MARK} select c.organization_id as "organizationId" from organizations o
      join customers c on c.organization_id = o.id and c.id = $1`,
    values: [customerId],
  });
  return rows.map(({ organizationId }) => organizationId);
};
