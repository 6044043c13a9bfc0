import { readFileSync } from 'node:fs';
import path from 'node:path';
import { WEEKDAYS } from '../domain/support/agents/presence/read-shift.ts';
import { ALL_AGENTS_KEY } from '../domain/support/routing-simulation/apply-changes.ts';
import type { ShiftDay, WorkSchedule } from '../storage/tables/routing.ts';
import { UsageError } from './command.ts';

const START = /^([01]\d|2[0-3]):[0-5]\d$/;
const END = /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const readDay = (value: unknown, where: string): ShiftDay => {
  const { start, end, enabled = true } = isObject(value) ? value : {};
  if (typeof start !== 'string' || !START.test(start))
    throw new UsageError(`${where}.start must have the format HH:mm`);
  if (typeof end !== 'string' || !END.test(end)) throw new UsageError(`${where}.end must have the format HH:mm`);
  if (typeof enabled !== 'boolean') throw new UsageError(`${where}.enabled must be true or false`);
  return { start, end, enabled };
};

const isWeekday = (name: string): boolean => WEEKDAYS.some((day) => day === name);

const readSchedule = (value: unknown, where: string): WorkSchedule => {
  if (!isObject(value)) throw new UsageError(`${where} must be an object of weekdays.`);
  return Object.fromEntries(
    Object.entries(value).map(([day, shift]) => {
      if (!isWeekday(day))
        throw new UsageError(`${where} contains "${day}", but keys must be one of: ${WEEKDAYS.join(', ')}`);
      return [day, readDay(shift, `${where}.${day}`)];
    }),
  );
};

const readJson = (file: string, cwd: string): unknown => {
  try {
    return JSON.parse(readFileSync(path.resolve(cwd, file), 'utf8'));
  } catch (error) {
    throw new UsageError(`The schedule ${file} cannot be read: ${(error as Error).message}`);
  }
};

/** One schedule for all agents, or one per login, with `*` for the others. */
export const readSchedules = (file: string, cwd: string): Record<string, WorkSchedule> => {
  const value = readJson(file, cwd);
  if (!isObject(value)) throw new UsageError(`The schedule ${file} must contain a JSON object.`);
  const names = Object.keys(value);
  if (names.length === 0) throw new UsageError(`The schedule ${file} is empty.`);
  if (names.every(isWeekday)) return { [ALL_AGENTS_KEY]: readSchedule(value, file) };
  return Object.fromEntries(names.map((name) => [name.toLowerCase(), readSchedule(value[name], `${file}: ${name}`)]));
};
