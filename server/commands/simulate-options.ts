import { parseArgs } from 'node:util';
import type { WorkSchedule } from '../storage/tables/routing.ts';
import { UsageError } from './command.ts';
import { readSchedules } from './read-schedules.ts';
import { checkTime } from './read-window.ts';

export interface SimulateOptions {
  organization: string;
  from: string;
  to: string;
  limit?: number | undefined;
  limits: Record<string, number>;
  added: { count: number; groupId?: number | undefined }[];
  schedules: Record<string, WorkSchedule>;
  idleMinutes?: number | undefined;
  json: boolean;
}

const options = {
  organization: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  limit: { type: 'string', multiple: true },
  agents: { type: 'string', multiple: true },
  schedule: { type: 'string' },
  'idle-minutes': { type: 'string' },
  json: { type: 'boolean' },
} as const;

const parse = (args: string[]) => {
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    // The first sentence is the error; the rest explains the syntax of the parser.
    throw new UsageError((error as Error).message.split(/(?<=')\. /)[0]!);
  }
};

const required = (name: string, value: string | undefined): string => {
  if (!value?.trim()) throw new UsageError(`--${name} is required`);
  return value.trim();
};

const MAX = 10_000;

const toCount = (name: string, value: string, least: number): number => {
  if (!/^\d{1,5}$/.test(value) || Number(value) < least || Number(value) > MAX)
    throw new UsageError(`--${name} must be a whole number from ${least} to ${MAX}, but is "${value}"`);
  return Number(value);
};

const readLimits = (values: string[]): Pick<SimulateOptions, 'limit' | 'limits'> => {
  const forAll = values.filter((value) => !value.includes('='));
  if (forAll.length > 1) throw new UsageError('--limit without a login can be given only once');
  const named = values.filter((value) => value.includes('='));
  return {
    limit: forAll[0] === undefined ? undefined : toCount('limit', forAll[0], 0),
    limits: Object.fromEntries(
      named.map((value) => {
        const at = value.lastIndexOf('=');
        return [value.slice(0, at).toLowerCase(), toCount('limit', value.slice(at + 1), 0)];
      }),
    ),
  };
};

const readAdded = (value: string): { count: number; groupId?: number } => {
  const [, count, groupId] = /^\+(\d+)(?::(\d+))?$/.exec(value) ?? [];
  if (!count) throw new UsageError(`--agents must be +<n> or +<n>:<group id>, but is "${value}"`);
  return { count: toCount('agents', count, 1), ...(groupId === undefined ? {} : { groupId: Number(groupId) }) };
};

export const readOptions = (args: string[], cwd: string): SimulateOptions => {
  const values = parse(args);
  const idle = values['idle-minutes'];
  return {
    organization: required('organization', values.organization),
    from: checkTime('from', required('from', values.from)),
    to: checkTime('to', required('to', values.to)),
    ...readLimits(values.limit ?? []),
    added: (values.agents ?? []).map(readAdded),
    schedules: values.schedule === undefined ? {} : readSchedules(values.schedule, cwd),
    idleMinutes: idle === undefined ? undefined : toCount('idle-minutes', idle, 1),
    json: values.json ?? false,
  };
};
