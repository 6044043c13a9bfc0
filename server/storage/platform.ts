import type { Executor } from './database.ts';
import { PLATFORM_MARK } from './guard.ts';
import type { Permission } from './tables/agents.ts';
import type { LicenceStatus } from './tables/organizations.ts';

/**
 * The few questions asked before an owner is known: whose credential is this? They are found by a unique keyed hash and
 * answer no more than who it is.
 */
const ask = async <Row extends object>(
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
  licenceStatus: LicenceStatus;
}

export const findCustomerToken = (executor: Executor, hash: Buffer) =>
  ask<CustomerCredential>(
    executor,
    'find_customer_token',
    `select t.organization_id as "organizationId", t.customer_id as "customerId", t.client_id as "clientId", t.expires_at as "expiresAt",
       c.banned_until as "bannedUntil", o.status as "licenceStatus"
     from customer_tokens t
     join customers c on c.organization_id = t.organization_id and c.id = t.customer_id
     join organizations o on o.id = t.organization_id
     where t.id = $1`,
    [hash],
  );

export interface AgentCredential {
  organizationId: string;
  login: string;
  permission: Permission;
  groupIds: number[];
  licenceStatus: LicenceStatus;
}

export const findAgentApiKey = (executor: Executor, hash: Buffer) =>
  ask<AgentCredential>(
    executor,
    'find_agent_api_key',
    `select a.organization_id as "organizationId", a.id as login, a.permission, o.status as "licenceStatus",
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
  ask<PartnerCredential>(
    executor,
    'find_partner_token',
    `select t.partner_id as "partnerId", t.id as "tokenId", p.blocked
     from partner_tokens t join partners p on p.id = t.partner_id
     where t.token_hash = $1 and t.revoked_at is null`,
    [hash],
  );
