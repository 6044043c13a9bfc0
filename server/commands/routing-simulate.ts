import type { Kysely } from 'kysely';
import { readConfig } from '../config.ts';
import { ALL_AGENTS_KEY, addedAgentLogins, type Changes } from '../domain/support/routing/simulate/apply-changes.ts';
import { type Comparison, compareVariants } from '../domain/support/routing/simulate/compare-variants.ts';
import { loadHistory, type RoutingHistory } from '../domain/support/routing/simulate/load-history.ts';
import { loadIdleTimes } from '../domain/support/routing/simulate/load-idle-times.ts';
import type { Interval } from '../domain/support/routing/simulate/model.ts';
import { ownedRows } from '../storage/scope.ts';
import type { Tables } from '../storage/tables/index.ts';
import { type Command, UsageError } from './command.ts';
import { findOrganization } from './find-organization.ts';
import { printComparison } from './print-comparison.ts';
import { readWindow } from './read-window.ts';
import { readOptions, type SimulateOptions } from './simulate-options.ts';
import { withDatabase } from './with-database.ts';

const help = `Usage: npm run parley -- routing simulate --organization <id or name> --from <date> --to <date> [options]

Replays the chats that arrived in that time with the server's own routing rules, and prints waiting times: as they actual
were, replayed with nothing changed (how far the model is to be believed), and replayed with what the options change.

  --organization <id or name>
  --from, --to <date>     days of the organization's calendar, both whole; or times such as 2026-03-29T09:00:00Z
  --limit <n>             every person answers at most n chats at once
  --limit <login>=<n>     this agent does; may be repeated; 0 takes it out
  --agents +<n>[:<group>] n more people, in all groups or in one; may be repeated. They are called added-1, added-2 …
  --schedule <file.json>  work schedules: {"monday": {"start": "09:00", "end": "17:00"}, …} for all people,
                          or {"<login>": {…}, "*": {…}}
  --idle-minutes <n>      silent chats are closed after n minutes
  --json                  prints numbers for a program; times are milliseconds

What the model assumes is told in docs/routing-simulator.md.`;

interface Read {
  organization: { id: string; name: string; timezone: string };
  window: Interval;
  loaded: RoutingHistory;
  changes: Changes | undefined;
}

const checkNames = ({ limits, schedules, added }: SimulateOptions, { agents, groups }: RoutingHistory): void => {
  const known = new Set([...agents.map(({ id }) => id), ...addedAgentLogins({ added }), ALL_AGENTS_KEY]);
  const stranger = [...Object.keys(limits), ...Object.keys(schedules)].find((login) => !known.has(login));
  if (stranger !== undefined) throw new UsageError(`No agent "${stranger}"`);
  const lost = added.find(({ groupId }) => groupId !== undefined && !groups.some(({ id }) => id === groupId));
  if (lost) throw new UsageError(`No group ${lost.groupId}`);
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
  run: async (args, { env, cwd, print, say }) => {
    const options = readOptions(args, cwd);
    const found = await withDatabase(readConfig(env), say, ({ kysely }) => read(kysely, options));
    const { window, organization, loaded, changes } = found;
    const comparison = compareVariants(loaded, { window, changes, timezone: organization.timezone });
    print(options.json ? toJson(found, comparison) : printComparison(organization, window, comparison));
  },
};
