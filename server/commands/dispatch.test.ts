import { expect, it } from 'vitest';
import { runCommand } from './dispatch.ts';

const run = async (...args: string[]) => {
  const printed: string[] = [];
  const said: string[] = [];
  const code = await runCommand(args, {
    env: {},
    cwd: '/',
    print: (text) => void printed.push(text),
    say: (line) => void said.push(line),
  });
  return { code, out: printed.join('\n'), err: said.join('\n') };
};

it.each([[[]], [['help']], [['--help']], [['routing', '--help']], [['help', 'routing']]])(
  'lists the commands when asked with %j',
  async (args) => {
    expect(await run(...args)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Usage: .*routing simulate/s),
      err: '',
    });
  },
);

it.each([[['routing', 'simulate', '--help']], [['help', 'routing', 'simulate']]])(
  'tells the options when asked with %j',
  async (args) => {
    expect(await run(...args)).toMatchObject({ code: 0, out: expect.stringContaining('--organization <id or name>') });
  },
);

const dates = ['--organization', 'Shop', '--from', '2026-03-02', '--to', '2026-03-02'];

it.each([
  [['nothing'], 'There is no area "nothing". There are: agents, mail, ledger, routing'],
  [['toString', '--help'], 'There is no area "toString".'],
  [['routing'], 'What of routing? There is: simulate.'],
  [['routing', 'dance'], 'There is no "routing dance". There is: simulate.'],
  [['routing', 'simulate', '--from', '2026-03-02', '--to', '2026-03-02'], '--organization is missing.'],
  [['routing', 'simulate', ...dates, '--organization', ' '], '--organization is missing.'],
  [['routing', 'simulate', ...dates, '--to', '2026-02-30'], '--to is "2026-02-30"'],
  [['routing', 'simulate', ...dates, '--from', 'yesterday'], '--from is "yesterday"'],
  [['routing', 'simulate', ...dates, '--limit', 'many'], '--limit is "many"'],
  [['routing', 'simulate', ...dates, '--limit', 'ann@shop.test=-1'], '--limit is "-1"'],
  [['routing', 'simulate', ...dates, '--limit', '1', '--limit', '2'], 'may be given once only'],
  [['routing', 'simulate', ...dates, '--agents', '2'], '--agents is "2", but it must be +<n>'],
  [['routing', 'simulate', ...dates, '--idle-minutes', '0'], '--idle-minutes is "0"'],
  [['routing', 'simulate', ...dates, '--schedule', 'no-such-file.json'], 'no-such-file.json cannot be read'],
  [['routing', 'simulate', ...dates, '--limit'], '--limit'],
  [['routing', 'simulate', ...dates, 'more'], "Unexpected argument 'more'"],
])('refuses %j', async (args, words) => {
  const { code, out, err } = await run(...args);
  expect(err).toContain(words);
  expect(err).toMatch(/\nSee: npm run parley -- .*--help$/);
  expect({ code, out }).toEqual({ code: 2, out: '' });
});
