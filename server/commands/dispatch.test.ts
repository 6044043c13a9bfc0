import { expect, it } from 'vitest';
import { runCommand } from './dispatch.ts';

const run = async (...args: string[]) => {
  const printed: string[] = [];
  const messages: string[] = [];
  const code = await runCommand(args, {
    env: {},
    cwd: '/',
    print: (text) => void printed.push(text),
    reportProgress: (line) => void messages.push(line),
  });
  return { code, out: printed.join('\n'), err: messages.join('\n') };
};

it.each([[[]], [['help']], [['--help']], [['routing', '--help']], [['help', 'routing']]])(
  'lists the commands for %j',
  async (args) => {
    expect(await run(...args)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Usage: .*routing simulate/s),
      err: '',
    });
  },
);

it.each([[['routing', 'simulate', '--help']], [['help', 'routing', 'simulate']]])(
  'describes the options for %j',
  async (args) => {
    expect(await run(...args)).toMatchObject({ code: 0, out: expect.stringContaining('--organization <id or name>') });
  },
);

const dates = ['--organization', 'Shop', '--from', '2026-03-02', '--to', '2026-03-02'];

it.each([
  [['nothing'], 'Unknown command "nothing". Available: agents, invitations, mail, ledger, routing'],
  [['toString', '--help'], 'Unknown command "toString".'],
  [['routing'], 'Missing subcommand. Available: simulate'],
  [['routing', 'dance'], 'Unknown subcommand "routing dance". Available: simulate'],
  [['routing', 'simulate', '--from', '2026-03-02', '--to', '2026-03-02'], '--organization is required'],
  [['routing', 'simulate', ...dates, '--organization', ' '], '--organization is required'],
  [['routing', 'simulate', ...dates, '--to', '2026-02-30'], '--to must be a date'],
  [['routing', 'simulate', ...dates, '--from', 'yesterday'], '--from must be a date'],
  [['routing', 'simulate', ...dates, '--limit', 'many'], '--limit must be a whole number'],
  [['routing', 'simulate', ...dates, '--limit', 'ann@shop.test=-1'], '--limit must be a whole number'],
  [['routing', 'simulate', ...dates, '--limit', '1', '--limit', '2'], 'can be given only once'],
  [['routing', 'simulate', ...dates, '--agents', '2'], '--agents must be +<n>'],
  [['routing', 'simulate', ...dates, '--idle-minutes', '0'], '--idle-minutes must be a whole number'],
  [['routing', 'simulate', ...dates, '--schedule', 'no-such-file.json'], 'The schedule no-such-file.json cannot'],
  [['routing', 'simulate', ...dates, '--limit'], '--limit'],
  [['routing', 'simulate', ...dates, 'more'], "Unexpected argument 'more'"],
])('rejects %j', async (args, words) => {
  const { code, out, err } = await run(...args);
  expect(err).toContain(words);
  expect(err).toMatch(/\nSee: npm run parley -- .*--help$/);
  expect({ code, out }).toEqual({ code: 2, out: '' });
});
