import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Client, PoolConfig } from 'pg';
import { readConfig } from '#server/config.ts';
import { type Context, openContext } from '#server/context.ts';
import { writeAgent } from '#server/domain/accounts/agents/create-agent.ts';
import { createOrganization } from '#server/domain/accounts/licenses/organizations.ts';
import { openOrganizationScope, openPlatformScope } from '#server/domain/scope.ts';
import { issueCookieToken } from '#server/domain/support/customers/tokens.ts';
import { createLog } from '#server/log.ts';
import { startEmbeddedPostgres } from '#server/storage/embedded.ts';
import { hasNatsServer, startNatsServer } from '#server/testing/app/nats-server.ts';
import { toDatabaseUrl } from '../e2e/start-process.ts';
import { seedChats } from './seed-chats.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

const SECRET_KEY = 'secret-key-of-a-benchmark';
const CONCURRENCY = 20;

export interface Installation {
  servers: ServerProcess[];
  /** A context without HTTP, to set up the data with. */
  context: Context;
  connection: PoolConfig;
  /** Whether the servers are connected by NATS. */
  hasNats: boolean;
  stop(): Promise<void>;
}

const openSetupContext = (connection: PoolConfig, dataDir: string): Promise<Context> => {
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'warn', RATE_LIMITS: 'off' });
  return openContext({
    config,
    secrets: { secretKey: SECRET_KEY, operatorToken: 'unused' },
    connection,
    log: createLog('warn'),
    publicUrl: () => 'http://localhost',
  });
};

/** Starts two servers on one database. */
export const startInstallation = async (): Promise<Installation> => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
  const cleanups: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const cleanUp of cleanups.splice(0).toReversed()) await cleanUp();
  };
  try {
    const { connection, stop: stopPostgres } = await startEmbeddedPostgres({ dataDir });
    cleanups.push(stopPostgres);
    const nats = hasNatsServer ? await startNatsServer() : undefined;
    if (nats) cleanups.push(nats.remove);
    const env = { DATABASE_URL: toDatabaseUrl(connection), SECRET_KEY, ...(nats ? { NATS_URL: nats.url } : {}) };
    const servers: ServerProcess[] = [];
    for (const _ of ['one', 'two']) {
      const server = await startServerProcess({ env: { ...env, LOG_LEVEL: 'error' } });
      cleanups.push(server.stop);
      servers.push(server);
    }
    const context = await openSetupContext(connection, path.join(dataDir, 'setup'));
    cleanups.push(context.close);
    return { servers, context, connection, hasNats: nats !== undefined, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

export interface Team {
  organizationId: string;
  /** The API key of the owner, who watches all chats and takes none. */
  owner: string;
  /** API keys by login. */
  keys: Record<string, string>;
  /** Tokens of customers who have no chat yet. */
  customers: string[];
}

/** Creates agents who take up to `limit` chats each, and customers without chats. */
export const createTeam = async (
  { services }: Context,
  { agents, limit, customers }: { agents: number; limit: number; customers: number },
): Promise<Team> => {
  const system = { kind: 'system' } as const;
  const suffix = crypto.randomUUID();
  const { organization, owner } = await createOrganization(openPlatformScope(services, system), {
    name: 'Bench',
    owner: { login: `owner-${suffix}@bench.test`, name: 'Owner', password: 'a long password' },
  });
  const scope = openOrganizationScope(services, system, organization.id);
  const keys: Record<string, string> = {};
  for (let index = 0; index < agents; index++) {
    const { login, apiKey } = await writeAgent(scope, {
      ...{
        login: `agent-${index}-${suffix}@bench.test`,
        name: `Agent ${index}`,
        permission: 'normal',
        passwordHash: null,
      },
      maxChatsCount: limit,
    });
    keys[login] = apiKey;
  }
  await scope.update('agents').where('permission', '=', 'normal').set({ status: 'accepting chats' }).execute();
  const tokens: string[] = [];
  for (let index = 0; index < customers; index += CONCURRENCY) {
    const issued = Array.from({ length: Math.min(CONCURRENCY, customers - index) }, () =>
      issueCookieToken(scope, { clientId: 'bench' }),
    );
    for (const { token } of await Promise.all(issued)) tokens.push(token);
  }
  return { organizationId: organization.id, owner: owner.apiKey, keys, customers: tokens };
};

const PAST_CHATS = 5_000;
const PAST_AGENTS = 20;

/** Seeds past chats, so that PostgreSQL has table statistics to plan with. */
export const seedHistory = async (context: Context, client: Client): Promise<void> => {
  const { organizationId } = await createTeam(context, { agents: PAST_AGENTS, limit: 1, customers: 0 });
  await seedChats(client, { organizationId, customerIds: [], chats: PAST_CHATS });
  const statements = [
    `insert into thread_agents (organization_id, thread_id, agent_id)
     select t.organization_id, t.id, a.id from threads t
     join agents a on a.organization_id = t.organization_id and a.id like 'agent-' || abs(hashtext(t.id)) % ${PAST_AGENTS} || '-%'
     where t.organization_id = $1`,
    `insert into assignments
       (organization_id, chat_id, thread_id, agent_id, rule, candidates, group_ids, assigned_at, ended_at)
     select t.organization_id, t.chat_id, t.id, w.agent_id, 'lowest_load', '[]', t.group_ids, t.created_at, t.closed_at
     from threads t join thread_agents w on w.organization_id = t.organization_id and w.thread_id = t.id
     where t.organization_id = $1`,
    `insert into queue_entries (organization_id, chat_id, thread_id, group_ids, priority, entered_at, left_at, outcome)
     select organization_id, chat_id, thread_id, group_ids, 0, assigned_at, assigned_at, 'assigned' from assignments
     where organization_id = $1`,
  ];
  for (const statement of statements) await client.query(statement, [organizationId]);
  await client.query('vacuum (analyze)');
};
