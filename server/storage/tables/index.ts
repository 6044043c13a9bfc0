import type { AgentGroupsTable, AgentsTable, GroupsTable } from './agents.ts';
import type { ChatsTable, ChatUsersTable, EventsTable, ThreadAgentsTable, ThreadsTable } from './chats.ts';
import type { CustomersTable, CustomerTokensTable } from './customers.ts';
import type { InstallationTable, OrganizationsTable } from './organizations.ts';
import type { PartnersTable, PartnerTokensTable } from './partners.ts';

export interface OrganizationTables {
  groups: GroupsTable;
  agents: AgentsTable;
  agentGroups: AgentGroupsTable;
  customers: CustomersTable;
  customerTokens: CustomerTokensTable;
  chats: ChatsTable;
  threads: ThreadsTable;
  events: EventsTable;
  chatUsers: ChatUsersTable;
  threadAgents: ThreadAgentsTable;
}

export interface PartnerTables {
  partnerTokens: PartnerTokensTable;
}

export interface PlatformTables {
  organizations: OrganizationsTable;
  partners: PartnersTable;
  installation: InstallationTable;
}

export type Tables = OrganizationTables & PartnerTables & PlatformTables;

/** Each owned table and the column that names its owner; the guard reads this. */
export const ownerColumns: Readonly<Record<string, string>> = {
  groups: 'organization_id',
  agents: 'organization_id',
  agent_groups: 'organization_id',
  customers: 'organization_id',
  customer_tokens: 'organization_id',
  chats: 'organization_id',
  threads: 'organization_id',
  events: 'organization_id',
  chat_users: 'organization_id',
  thread_agents: 'organization_id',
  partner_tokens: 'partner_id',
};

export const allTables: readonly string[] = [...Object.keys(ownerColumns), 'organizations', 'partners', 'installation'];
