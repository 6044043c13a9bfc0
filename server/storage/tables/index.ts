import type { AgentGroupsTable, AgentsTable, GroupsTable } from './agents.ts';
import type {
  ArchiveBitsTable,
  ArchiveEntriesTable,
  ArchiveMarksTable,
  TranscriptMailsTable,
  VisitorSessionsTable,
} from './archives.ts';
import type { ChatsTable, ChatUsersTable, EventsTable, ThreadAgentsTable, ThreadsTable } from './chats.ts';
import type {
  BansTable,
  CustomersTable,
  CustomerTokensTable,
  EmailLinksTable,
  EmailVerificationsTable,
} from './customers.ts';
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
import type {
  InvoiceMonthsTable,
  LedgerDaysTable,
  LedgerEntriesTable,
  LedgerLicencesTable,
  LedgerTotalsTable,
  LedgerTransactionsTable,
  PartnerBillingTable,
  PaymentsTable,
  PricesTable,
  RefundsTable,
  StatementsTable,
  WithdrawalsTable,
} from './ledger.ts';
import type {
  AgentRecoveryCodesTable,
  AgentSessionsTable,
  AgentTwoFactorTable,
  OauthClientsTable,
  OauthCodesTable,
  OauthTokensTable,
  SignInTriesTable,
} from './oauth.ts';
import type { AgentLettersTable, CannedResponsesTable, TagsTable } from './operations.ts';
import type { InstallationTable, OrganizationsTable } from './organizations.ts';
import type { PartnersTable, PartnerTokensTable } from './partners.ts';
import type {
  CampaignsTable,
  ClickDaysTable,
  ClickMonthsTable,
  ClicksTable,
  CouponsTable,
  KeptClicksTable,
  PerformanceTotalsTable,
  RatesTable,
  ReferredLicencesTable,
  ReferredPartnersTable,
  UncountedClicksTable,
} from './programme.ts';
import type { PropertyDefinitionsTable } from './properties.ts';
import type {
  AvailabilitySettledTable,
  AvailabilitySpansTable,
  ChatAgentFactsTable,
  ChatFactsTable,
  ChatRollupsTable,
  OccupancyQuartersTable,
  OccupancySettledTable,
  ReportMarksTable,
  TalliesTable,
  TallyMarksTable,
} from './reports.ts';
import type {
  ChargesTable,
  InvoicesTable,
  ResellerLicencesTable,
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
  QueueStaysTable,
} from './routing.ts';
import type {
  IncomingMailsTable,
  TicketEventsTable,
  TicketMarksTable,
  TicketMessageIdsTable,
  TicketsTable,
  TicketWordsTable,
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
  emailLinks: EmailLinksTable;
  emailVerifications: EmailVerificationsTable;
  chats: ChatsTable;
  threads: ThreadsTable;
  events: EventsTable;
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
  queueStays: QueueStaysTable;
  assignments: AssignmentsTable;
  agentConnections: AgentConnectionsTable;
  agentStatusChanges: AgentStatusChangesTable;
  agentLetters: AgentLettersTable;
  cannedResponses: CannedResponsesTable;
  tags: TagsTable;
  tickets: TicketsTable;
  ticketEvents: TicketEventsTable;
  ticketMessageIds: TicketMessageIdsTable;
  ticketMarks: TicketMarksTable;
  ticketWords: TicketWordsTable;
  incomingMails: IncomingMailsTable;
  reportMarks: ReportMarksTable;
  chatFacts: ChatFactsTable;
  chatAgentFacts: ChatAgentFactsTable;
  chatRollups: ChatRollupsTable;
  tallies: TalliesTable;
  tallyMarks: TallyMarksTable;
  availabilitySpans: AvailabilitySpansTable;
  availabilitySettled: AvailabilitySettledTable;
  occupancyQuarters: OccupancyQuartersTable;
  occupancySettled: OccupancySettledTable;
  archiveMarks: ArchiveMarksTable;
  archiveEntries: ArchiveEntriesTable;
  archiveBits: ArchiveBitsTable;
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
  referredLicences: ReferredLicencesTable;
  performanceTotals: PerformanceTotalsTable;
  referredPartners: ReferredPartnersTable;
  partnerBilling: PartnerBillingTable;
  withdrawals: WithdrawalsTable;
  ledgerTransactions: LedgerTransactionsTable;
  ledgerEntries: LedgerEntriesTable;
  ledgerDays: LedgerDaysTable;
  ledgerLicences: LedgerLicencesTable;
  ledgerTotals: LedgerTotalsTable;
  statements: StatementsTable;
  resellerLicences: ResellerLicencesTable;
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
  signInTries: SignInTriesTable;
  refunds: RefundsTable;
  rates: RatesTable;
  prices: PricesTable;
  invoiceMonths: InvoiceMonthsTable;
  keptClicks: KeptClicksTable;
  sandboxCards: SandboxCardsTable;
  sandboxCharges: SandboxChargesTable;
}

export type Tables = OrganizationTables & PartnerTables & PlatformTables;

/** Each owned table and the column that names its owner; the guard reads this. */
export const ownerColumns: Readonly<Record<string, string>> = {
  groups: 'organization_id',
  agents: 'organization_id',
  agent_groups: 'organization_id',
  customers: 'organization_id',
  customer_tokens: 'organization_id',
  bans: 'organization_id',
  email_links: 'organization_id',
  email_verifications: 'organization_id',
  chats: 'organization_id',
  threads: 'organization_id',
  events: 'organization_id',
  chat_users: 'organization_id',
  thread_agents: 'organization_id',
  property_definitions: 'organization_id',
  files: 'organization_id',
  visits: 'organization_id',
  visit_pages: 'organization_id',
  visitor_details: 'organization_id',
  oauth_clients: 'organization_id',
  oauth_codes: 'organization_id',
  oauth_tokens: 'organization_id',
  agent_sessions: 'organization_id',
  agent_two_factor: 'organization_id',
  agent_recovery_codes: 'organization_id',
  greetings: 'organization_id',
  greeting_displays: 'organization_id',
  goals: 'organization_id',
  goal_hits: 'organization_id',
  webhooks: 'organization_id',
  webhook_deliveries: 'organization_id',
  url_previews: 'organization_id',
  chat_followers: 'organization_id',
  customer_followers: 'organization_id',
  queue_stays: 'organization_id',
  assignments: 'organization_id',
  agent_connections: 'organization_id',
  agent_status_changes: 'organization_id',
  agent_letters: 'organization_id',
  canned_responses: 'organization_id',
  tags: 'organization_id',
  tickets: 'organization_id',
  ticket_events: 'organization_id',
  ticket_message_ids: 'organization_id',
  ticket_marks: 'organization_id',
  ticket_words: 'organization_id',
  incoming_mails: 'organization_id',
  report_marks: 'organization_id',
  chat_facts: 'organization_id',
  chat_agent_facts: 'organization_id',
  chat_rollups: 'organization_id',
  tallies: 'organization_id',
  tally_marks: 'organization_id',
  availability_spans: 'organization_id',
  availability_settled: 'organization_id',
  occupancy_quarters: 'organization_id',
  occupancy_settled: 'organization_id',
  archive_marks: 'organization_id',
  archive_entries: 'organization_id',
  archive_bits: 'organization_id',
  visitor_sessions: 'organization_id',
  transcript_mails: 'organization_id',
  payments: 'organization_id',
  invoices: 'organization_id',
  partner_tokens: 'partner_id',
  coupons: 'partner_id',
  campaigns: 'partner_id',
  clicks: 'partner_id',
  uncounted_clicks: 'partner_id',
  click_days: 'partner_id',
  click_months: 'partner_id',
  referred_licences: 'partner_id',
  performance_totals: 'partner_id',
  referred_partners: 'partner_id',
  partner_billing: 'partner_id',
  withdrawals: 'partner_id',
  ledger_transactions: 'partner_id',
  ledger_entries: 'partner_id',
  ledger_days: 'partner_id',
  ledger_licences: 'partner_id',
  ledger_totals: 'partner_id',
  statements: 'partner_id',
  reseller_licences: 'partner_id',
  subscriptions: 'partner_id',
  charges: 'partner_id',
  experts: 'partner_id',
  expert_comments: 'partner_id',
  expert_messages: 'partner_id',
  expert_months: 'partner_id',
  expert_viewers: 'partner_id',
};

export const allTables: readonly string[] = [
  ...Object.keys(ownerColumns),
  'organizations',
  'partners',
  'installation',
  'sign_in_tries',
  'refunds',
  'rates',
  'prices',
  'invoice_months',
  'kept_clicks',
  'sandbox_cards',
  'sandbox_charges',
];
