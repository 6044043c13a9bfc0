import type { AddressConfirmationsTable } from './address-confirmations.ts';
import type { AgentGroupsTable, AgentsTable, GroupsTable } from './agents.ts';
import type {
  ArchiveBitmapsTable,
  ArchiveEntriesTable,
  TranscriptMailsTable,
  VisitorSessionsTable,
} from './archives.ts';
import type {
  ChatsTable,
  ChatUsersTable,
  EventFollowUpsTable,
  EventsTable,
  ThreadAgentsTable,
  ThreadsTable,
} from './chats.ts';
import type { BansTable, CustomersTable, CustomerTokensTable, EmailVerificationsTable } from './customers.ts';
import type {
  ExpertCommentsTable,
  ExpertMessagesTable,
  ExpertMonthsTable,
  ExpertsTable,
  ExpertViewersTable,
} from './experts.ts';
import type { FilesTable } from './files.ts';
import type { GoalHitsTable, GoalsTable } from './goals.ts';
import type { GreetingDisplaysTable, GreetingsTable } from './greetings.ts';
import type { InvitationsTable } from './invitations.ts';
import type {
  InvoiceMonthsTable,
  LedgerDaysTable,
  LedgerEntriesTable,
  LedgerLicensesTable,
  LedgerTotalsTable,
  LedgerTransactionsTable,
  PartnerBillingTable,
  PaymentsTable,
  PricesTable,
  RefundsTable,
  StatementsTable,
  WithdrawalsTable,
} from './ledger.ts';
import type { OutgoingMailsTable } from './mails.ts';
import type {
  AgentRecoveryCodesTable,
  AgentSessionsTable,
  AgentTwoFactorTable,
  OauthClientsTable,
  OauthCodesTable,
  OauthTokensTable,
  SignInAttemptsTable,
} from './oauth.ts';
import type { AgentEmailTokensTable, CannedResponsesTable, TagsTable } from './operations.ts';
import type { InstallationTable, OrganizationsTable } from './organizations.ts';
import type { PartnersTable, PartnerTokensTable } from './partners.ts';
import type {
  CampaignsTable,
  ClickBatchesTable,
  ClickDaysTable,
  ClickMonthsTable,
  ClicksTable,
  CouponsTable,
  PerformanceTotalsTable,
  RatesTable,
  ReferredLicensesTable,
  ReferredPartnersTable,
  UncountedClicksTable,
} from './program.ts';
import type { ProjectionQueueTable } from './projections.ts';
import type { PropertyDefinitionsTable } from './properties.ts';
import type {
  AvailabilityMaterializedTable,
  AvailabilitySpansTable,
  ChatAgentFactsTable,
  ChatFactsTable,
  ChatRollupsTable,
  OccupancyMaterializedTable,
  OccupancyQuartersTable,
} from './reports.ts';
import type {
  ChargesTable,
  InvoicesTable,
  ResellerLicensesTable,
  SandboxCardsTable,
  SandboxChargesTable,
  SubscriptionsTable,
} from './resellers.ts';
import type {
  AgentConnectionsTable,
  AgentStatusChangesTable,
  AssignmentsTable,
  ChatFollowersTable,
  CustomerFollowersTable,
  QueueEntriesTable,
} from './routing.ts';
import type {
  IncomingMailsTable,
  TicketEventsTable,
  TicketMessageIdsTable,
  TicketSearchTable,
  TicketsTable,
} from './tickets.ts';
import type { UrlPreviewsTable } from './url-previews.ts';
import type { VisitorDetailsTable, VisitPagesTable, VisitsTable } from './visits.ts';
import type { WebhookDeliveriesTable, WebhooksTable } from './webhooks.ts';

export interface OrganizationTables {
  groups: GroupsTable;
  agents: AgentsTable;
  agentGroups: AgentGroupsTable;
  customers: CustomersTable;
  customerTokens: CustomerTokensTable;
  bans: BansTable;
  emailVerifications: EmailVerificationsTable;
  chats: ChatsTable;
  threads: ThreadsTable;
  events: EventsTable;
  eventFollowUps: EventFollowUpsTable;
  chatUsers: ChatUsersTable;
  threadAgents: ThreadAgentsTable;
  propertyDefinitions: PropertyDefinitionsTable;
  files: FilesTable;
  visits: VisitsTable;
  visitPages: VisitPagesTable;
  visitorDetails: VisitorDetailsTable;
  oauthClients: OauthClientsTable;
  oauthCodes: OauthCodesTable;
  oauthTokens: OauthTokensTable;
  agentSessions: AgentSessionsTable;
  agentTwoFactor: AgentTwoFactorTable;
  agentRecoveryCodes: AgentRecoveryCodesTable;
  greetings: GreetingsTable;
  greetingDisplays: GreetingDisplaysTable;
  goals: GoalsTable;
  goalHits: GoalHitsTable;
  webhooks: WebhooksTable;
  webhookDeliveries: WebhookDeliveriesTable;
  urlPreviews: UrlPreviewsTable;
  chatFollowers: ChatFollowersTable;
  customerFollowers: CustomerFollowersTable;
  queueEntries: QueueEntriesTable;
  assignments: AssignmentsTable;
  agentConnections: AgentConnectionsTable;
  agentStatusChanges: AgentStatusChangesTable;
  agentEmailTokens: AgentEmailTokensTable;
  cannedResponses: CannedResponsesTable;
  tags: TagsTable;
  tickets: TicketsTable;
  ticketEvents: TicketEventsTable;
  ticketMessageIds: TicketMessageIdsTable;
  ticketSearch: TicketSearchTable;
  incomingMails: IncomingMailsTable;
  chatFacts: ChatFactsTable;
  chatAgentFacts: ChatAgentFactsTable;
  chatRollups: ChatRollupsTable;
  availabilitySpans: AvailabilitySpansTable;
  availabilityMaterialized: AvailabilityMaterializedTable;
  occupancyQuarters: OccupancyQuartersTable;
  occupancyMaterialized: OccupancyMaterializedTable;
  archiveEntries: ArchiveEntriesTable;
  archiveBitmaps: ArchiveBitmapsTable;
  visitorSessions: VisitorSessionsTable;
  transcriptMails: TranscriptMailsTable;
  payments: PaymentsTable;
  invoices: InvoicesTable;
}

export interface PartnerTables {
  partnerTokens: PartnerTokensTable;
  coupons: CouponsTable;
  campaigns: CampaignsTable;
  clicks: ClicksTable;
  uncountedClicks: UncountedClicksTable;
  clickDays: ClickDaysTable;
  clickMonths: ClickMonthsTable;
  referredLicenses: ReferredLicensesTable;
  performanceTotals: PerformanceTotalsTable;
  referredPartners: ReferredPartnersTable;
  partnerBilling: PartnerBillingTable;
  withdrawals: WithdrawalsTable;
  ledgerTransactions: LedgerTransactionsTable;
  ledgerEntries: LedgerEntriesTable;
  ledgerDays: LedgerDaysTable;
  ledgerLicenses: LedgerLicensesTable;
  ledgerTotals: LedgerTotalsTable;
  statements: StatementsTable;
  resellerLicenses: ResellerLicensesTable;
  subscriptions: SubscriptionsTable;
  charges: ChargesTable;
  experts: ExpertsTable;
  expertComments: ExpertCommentsTable;
  expertMessages: ExpertMessagesTable;
  expertMonths: ExpertMonthsTable;
  expertViewers: ExpertViewersTable;
}

export interface PlatformTables {
  organizations: OrganizationsTable;
  partners: PartnersTable;
  installation: InstallationTable;
  invitations: InvitationsTable;
  signInAttempts: SignInAttemptsTable;
  refunds: RefundsTable;
  rates: RatesTable;
  prices: PricesTable;
  invoiceMonths: InvoiceMonthsTable;
  clickBatches: ClickBatchesTable;
  sandboxCards: SandboxCardsTable;
  sandboxCharges: SandboxChargesTable;
  projectionQueue: ProjectionQueueTable;
  outgoingMails: OutgoingMailsTable;
  addressConfirmations: AddressConfirmationsTable;
}

export type Tables = OrganizationTables & PartnerTables & PlatformTables;
