import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { PoolConfig } from 'pg';
import type { Logger } from 'pino';
import { type Closing, createClosing } from './closing.ts';
import type { Config } from './config.ts';
import { webhookWriter } from './dialects/webhook-bodies.ts';
import { createAppendLane, type LaneOptions } from './domain/chats/append-lane.ts';
import { createKnownEvents } from './domain/chats/known-events.ts';
import { type Clock, systemClock } from './domain/clock.ts';
import { createCurrentConfigurations } from './domain/configuration/current.ts';
import { type CustomerIdentifier, createCustomerIdentifier } from './domain/customers/identify.ts';
import { CREDENTIALS_TOPIC, PROPERTIES_TOPIC, readEvent } from './domain/events.ts';
import { createPropertyCatalogue } from './domain/properties/catalogue.ts';
import { createReadLanes } from './domain/read-lanes.ts';
import type { Services } from './domain/scope.ts';
import { createSecrets } from './domain/secrets.ts';
import { createTurns } from './domain/turns.ts';
import { createTracker, type Tracker } from './domain/visits/tracker.ts';
import { createSignInLimit } from './http/sign-in-limit.ts';
import type { InstallationSecrets } from './installation-secrets.ts';
import { callBack } from './jobs/call-back.ts';
import { type Clockwork, createClockwork } from './jobs/clockwork.ts';
import { jobNames } from './jobs/index.ts';
import { keepReports } from './jobs/keep-reports.ts';
import { createMailFiler, type MailFiler } from './jobs/mail-filer.ts';
import { passes } from './jobs/passes.ts';
import { type JobHandlers, type JobQueue, openJobQueue } from './jobs/queue.ts';
import { removeAllExpiredFiles, removeAllExpiredTokens } from './jobs/remove-expired.ts';
import { sendMail } from './jobs/send-mail.ts';
import { createWebhookSender, type WebhookSender } from './jobs/webhook-sender.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import type { Bus } from './ports/bus/bus.ts';
import { createMemoryBus } from './ports/bus/memory.ts';
import { openDiskStore } from './ports/files/disk.ts';
import type { FileStore } from './ports/files/files.ts';
import { nowhere, openGeoDatabase } from './ports/geo/geo.ts';
import type { MailAddress, MailTransport } from './ports/mail/mail.ts';
import { createOutbox, type Outbox } from './ports/mail/outbox.ts';
import { createMayCall } from './ports/web/may-call.ts';
import { createWeb } from './ports/web/safe-fetch.ts';
import { readUrlInfo, type UrlInfo } from './ports/web/url-info.ts';
import type { Web } from './ports/web/web.ts';
import { createReactions } from './reactions/index.ts';
import { createFeeds, type Feeds } from './sockets/feeds.ts';
import { createGreeter, type Greeter } from './sockets/greeter.ts';
import { type Database, openDatabase } from './storage/database.ts';

/** One field per opened thing. Only this file and `main.ts` know every room. */
export interface Context {
  config: Config;
  log: Logger;
  clock: Clock;
  operatorToken: string;
  database: Database;
  services: Services;
  customers: CustomerIdentifier;
  bus: Bus;
  feeds: Feeds;
  greeter: Greeter;
  tracker: Tracker;
  /** Slows down whoever tries passwords, by whichever page. */
  limitSignIn: ReturnType<typeof createSignInLimit>;
  jobs: JobQueue;
  jobHandlers: JobHandlers;
  files: FileStore;
  /** Where mails rest when there is no mail server. */
  outbox: Outbox | undefined;
  web: Web;
  webhooks: WebhookSender;
  /** Makes tickets of received mails. */
  mailFiler: MailFiler;
  /** What time alone brings about. */
  clockwork: Clockwork;
  /** What a preview of a link shows; never of a private address. */
  readUrlInfo(url: string): Promise<UrlInfo | undefined>;
  metrics: Metrics;
  publicUrl(): string;
  /** The server is going away: readiness says so, and nothing new is begun. */
  stopping: boolean;
  close(): Promise<void>;
}

export interface ContextParts {
  config: Config;
  secrets: InstallationSecrets;
  connection: PoolConfig;
  log: Logger;
  publicUrl(): string;
  /** Tests hold the clock. */
  clock?: Clock;
  /** Tests bring a web of their own. */
  previews?: Web;
  /** Benchmarks compare. */
  lane?: LaneOptions | undefined;
}

const STATEMENT_TIMEOUT_MS = 14_000;
const MAX_CONNECTIONS = 20;
const DEFAULT_LANE: LaneOptions = { lanes: 4, mostPerBatch: 200 };
const JOBS_STOP_MS = 1_500;
/** How long each may take to close, and all together: with the requests before them, PostgreSQL still has its second of ten. */
const CLOSE_MS = {
  clockwork: 1_000,
  greeter: 1_000,
  tracker: 1_000,
  lane: 1_000,
  jobs: 2_500,
  webhooks: 500,
  mail: 500,
  bus: 500,
  database: 1_000,
};
const CLOSE_ALL_MS = 4_200;

const parseAddress = (text: string): MailAddress => {
  const match = /^(.*)<([^<>]+)>$/.exec(text);
  return match ? { name: match[1]!.trim(), address: match[2]!.trim() } : { address: text };
};

/** The clients of other servers are loaded only where they are used: a start without them is faster. */
const openBus = async ({ natsUrl }: Config, log: Logger): Promise<Bus> => {
  if (!natsUrl) return createMemoryBus(log);
  const { connectNatsBus } = await import('./ports/bus/nats.ts');
  return connectNatsBus({ url: natsUrl, log });
};

const openSmtp = async (url: string): Promise<MailTransport> => {
  const { createSmtpTransport } = await import('./ports/mail/smtp.ts');
  return createSmtpTransport({ url });
};

/** Whoever still waits for a statement had its time. */
const endDatabase = (database: Database): Promise<void> => {
  database.cut();
  return database.close();
};

const openAll = async (
  {
    config,
    secrets: installation,
    connection,
    log,
    publicUrl,
    clock = systemClock,
    lane = DEFAULT_LANE,
    previews = createWeb({ allowPrivate: false }),
  }: ContextParts,
  closing: Closing,
): Promise<Context> => {
  closing.add('previews', () => previews.close());
  const database = openDatabase({
    connection,
    maxConnections: MAX_CONNECTIONS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    // The error brings its whole connection along.
    onError: ({ message }) => log.warn({ reason: message }, 'a database connection was lost'),
  });
  closing.add('database', () => endDatabase(database), CLOSE_MS.database);
  const bus = await openBus(config, log);
  closing.add('bus', () => bus.close(), CLOSE_MS.bus);
  const dataDir = (name: string): string => path.join(config.dataDir, name);
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const outbox = config.smtpUrl ? undefined : await createOutbox({ directory: dataDir('outbox') });
  const mail = outbox ?? (await openSmtp(config.smtpUrl!));
  closing.add('mail', () => mail.close(), CLOSE_MS.mail);
  const files = await openDiskStore(dataDir('files'));
  const jobs = await openJobQueue(connection, jobNames, log);
  const secrets = createSecrets(installation.secretKey);
  const onOutboxed = (): void => webhooks.wake();
  const reactions = createReactions({ jobs, bus, clock, publicUrl, onOutboxed });
  const appendLane = createAppendLane({ database, reactions, onOutboxed }, lane);
  const properties = createPropertyCatalogue(database.kysely);
  const services: Services = {
    db: database.kysely,
    executor: database,
    clock,
    secrets,
    reactions,
    appendLane,
    knownEvents: createKnownEvents(),
    reads: createReadLanes(database),
    turns: createTurns(),
    properties,
    configurations: createCurrentConfigurations(database),
    locate: config.geoDatabase ? openGeoDatabase(config.geoDatabase) : nowhere,
    mayCall: createMayCall({ allowPrivate: config.allowPrivateWebhooks }),
    region: config.region,
    publicUrl,
    mailDomain: config.mailInDomain,
  };
  const web = createWeb({ allowPrivate: config.allowPrivateWebhooks });
  const webhooks = createWebhookSender({ database, services, web, write: webhookWriter(services), log });
  const mailFiler = createMailFiler({ database, services, files, log });
  const customers = createCustomerIdentifier(database, services);
  const metrics = createMetrics(bus);
  const clockwork = createClockwork({
    database,
    services,
    passes,
    log,
    count: (pass, outcome) => metrics.due.inc({ pass, outcome }),
  });
  const greeter = createGreeter({ services, log });
  const tracker = createTracker({ services, log });
  bus.subscribe(CREDENTIALS_TOPIC, customers.forget);
  bus.subscribe(PROPERTIES_TOPIC, (text) => {
    const event = readEvent(text as string);
    if (event.type === 'property_defined') properties.refresh(event.organizationId);
  });
  // Nothing was awaited since the jobs were opened, so the order may be that of their needs: a job may call the web.
  closing.add('webhooks', () => webhooks.stop(), CLOSE_MS.webhooks);
  closing.add('received mails', () => mailFiler.stop(), CLOSE_MS.mail);
  closing.add('web', () => web.close());
  closing.add('jobs', () => jobs.stop(JOBS_STOP_MS), CLOSE_MS.jobs);
  closing.add('messages', () => appendLane.drain(), CLOSE_MS.lane);
  closing.add('clockwork', () => clockwork.stop(), CLOSE_MS.clockwork);
  closing.add('greeter', () => greeter.stop(), CLOSE_MS.greeter);
  closing.add('visitors', () => tracker.stop(), CLOSE_MS.tracker);
  return {
    config,
    log,
    clock,
    operatorToken: installation.operatorToken,
    database,
    services,
    customers,
    bus,
    feeds: createFeeds({ bus, services, log }),
    greeter,
    tracker,
    limitSignIn: createSignInLimit(config.rateLimits),
    jobs,
    jobHandlers: {
      'send-mail': sendMail(mail, parseAddress(config.mailFrom), log),
      'call-back': callBack(web, log),
      'remove-expired-files': removeAllExpiredFiles(database, services, files),
      'remove-expired-tokens': removeAllExpiredTokens(database, services),
      'keep-reports': keepReports(database, services),
    },
    files,
    outbox,
    web,
    webhooks,
    mailFiler,
    clockwork,
    readUrlInfo: (url) => readUrlInfo(previews, url),
    metrics,
    publicUrl,
    stopping: false,
    close: () => closing.closeAll(),
  };
};

/** Opens everything; what was opened is closed again when a later step fails. */
export const openContext = async (parts: ContextParts): Promise<Context> => {
  const closing = createClosing(CLOSE_ALL_MS);
  try {
    return await openAll(parts, closing);
  } catch (error) {
    await closing.closeAll().catch((failed) => parts.log.error({ err: failed }, 'not everything was closed'));
    throw error;
  }
};
