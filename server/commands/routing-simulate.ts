import type { Kysely } from 'kysely';
import { readConfig } from '../config.ts';
import { ALL_AGENTS_KEY, addedAgentLogins, type Changes } from '../domain/support/routing-simulation/apply-changes.ts';
import { type Comparison, compareVariants } from '../domain/support/routing-simulation/compare-variants.ts';
import { loadHistory, type RoutingHistory } from '../domain/support/routing-simulation/load-history.ts';
import { loadIdleTimes } from '../domain/support/routing-simulation/load-idle-times.ts';
import type { Interval } from '../domain/support/routing-simulation/model.ts';
import { ownedRows } from '../storage/scope.ts';
import type { Tables } from '../storage/tables/index.ts';
import { type Command, UsageError } from './command.ts';
import { findOrganization } from './find-organization.ts';
import { printComparison } from './print-comparison.ts';
import { readWindow } from './read-window.ts';
import { readOptions, type SimulateOptions } from './simulate-options.ts';
import { withDatabase } from './with-database.ts';

const help = `Usage: npm run parley -- routing simulate --organization <id or name> --from <date> --to <date> [options]

Replays the chats of a time range with the server's routing rules and prints waiting times in three columns: the actual
values, a replay without changes (which shows how accurate the model is), and a replay with the changes of the options.

  --organization <id or name>
  --from, --to <date>     days in the organization's time zone, inclusive; or timestamps such as 2026-03-29T09:00:00Z
  --limit <n>             chat limit of every human agent
  --limit <login>=<n>     chat limit of one agent; can be repeated; 0 excludes the agent
  --agents +<n>[:<group>] adds n agents to all groups or to one; can be repeated. Their logins are added-1, added-2 …
  --schedule <file.json>  work schedules: {"monday": {"start": "09:00", "end": "17:00"}, …} for all human agents,
                          or {"<login>": {…}, "*": {…}}
  --idle-minutes <n>      closes chats after n minutes without messages
  --json                  prints JSON; durations are in milliseconds

See docs/routing-simulator.md for the assumptions of the model.`;

interface Read {
  organization: { id: string; name: string; timezone: string };
  window: Interval;
  loaded: RoutingHistory;
  changes: Changes | undefined;
}

const checkNames = ({ limits, schedules, added }: SimulateOptions, { agents, groups }: RoutingHistory): void => {
  const logins = new Set([...agents.map(({ id }) => id), ...addedAgentLogins({ added }), ALL_AGENTS_KEY]);
  const unknownLogin = [...Object.keys(limits), ...Object.keys(schedules)].find((login) => !logins.has(login));
  if (unknownLogin !== undefined) throw new UsageError(`No agent "${unknownLogin}"`);
  const unknownGroup = added.find(({ groupId }) => groupId !== undefined && !groups.some(({ id }) => id === groupId));
  if (unknownGroup) throw new UsageError(`No group ${unknownGroup.groupId}`);
};

const isChanging = ({ limit, limits, added, schedules, idleMinutes }: SimulateOptions): boolean =>
  limit !== undefined ||
  idleMinutes !== undefined ||
  added.length + Object.keys({ ...limits, ...schedules }).length > 0;

/** One read-only snapshot. */
const read = (db: Kysely<Tables>, options: SimulateOptions): Promise<Read> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const { idleCloseMinutes, ...organization } = await findOrganization(tx, options.organization);
      const now = Date.now();
      const window = readWindow(options, { timezone: organization.timezone, now });
      const rows = ownedRows(tx, 'organizationId', organization.id);
      const loaded = await loadHistory(rows, window, now);
      checkNames(options, loaded);
      const { idleMinutes: minutes } = options;
      const idle =
        minutes === undefined
          ? undefined
          : { minutes, minutesNow: idleCloseMinutes, idleMs: await loadIdleTimes(rows, window) };
      return { organization, window, loaded, changes: isChanging(options) ? { ...options, idle } : undefined };
    });

const toJson = ({ organization, window }: Read, comparison: Comparison): string =>
  JSON.stringify(
    {
      organization_id: organization.id,
      from: new Date(window.from).toISOString(),
      to: new Date(window.to).toISOString(),
      ...comparison,
    },
    null,
    2,
  );

export const routingSimulate: Command = {
  help,
  run: async (args, { env, cwd, print, reportProgress }) => {
    const options = readOptions(args, cwd);
    const found = await withDatabase(readConfig(env), reportProgress, ({ kysely }) => read(kysely, options));
    const { window, organization, loaded, changes } = found;
    const comparison = compareVariants(loaded, { window, changes, timezone: organization.timezone });
    print(options.json ? toJson(found, comparison) : printComparison(organization, window, comparison));
  },
};
