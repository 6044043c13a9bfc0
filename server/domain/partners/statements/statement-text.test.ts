import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { monthOf } from '../ledger/months.ts';
import { readStatementFile, type SealedStatement, writeStatementFile } from './statement-file.ts';
import {
  ACCOUNTS,
  addUp,
  hashStatement,
  NO_HASH,
  readStatement,
  type Statement,
  type StatementLine,
  writeStatement,
  ZERO_BALANCES,
} from './statement-text.ts';
import { verifyChain } from './verify-chain.ts';

const cents = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).filter((one) => one !== 0);

const anyLine = fc
  .record({
    at: fc.integer({ min: 0, max: 27 * 24 * 3600 * 1000 }),
    kind: fc.constantFrom('commission', 'reversal', 'withdrawal'),
    about: fc.dictionary(fc.constantFrom('occurred', 'program', 'percent'), fc.constantFrom('20.00', 'mainchat', 'x')),
    amount: cents,
    accounts: fc.shuffledSubarray([...ACCOUNTS], { minLength: 2, maxLength: 2 }),
  })
  .map(({ at, kind, about, amount, accounts: [one, other] }) => ({
    ...{ at, kind, about: { ...about } },
    entries: { [one!]: amount, [other!]: -amount },
  }));

type Line = Omit<StatementLine, 'id'>;

const anyBook = fc
  .array(fc.array(anyLine, { maxLength: 4 }), { minLength: 1, maxLength: 5 })
  .map((months) =>
    months.map((lines, month) =>
      lines.map(({ at, ...line }): Line => ({ ...line, recordedAt: new Date(Date.UTC(2026, 10 + month) + at) })),
    ),
  );

/** As the server creates them. */
const seal = (months: Line[][]): (SealedStatement & { name: string })[] => {
  let [opening, previousHash, id] = [ZERO_BALANCES, NO_HASH, 0];
  return months.map((found, at) => {
    const lines = found.map((line) => ({ ...line, id: ++id }));
    const closing = addUp(opening, lines);
    const month = monthOf(new Date(Date.UTC(2026, 10 + at)));
    const content = writeStatement({ partnerId: 7, month, opening, lines, closing });
    const hash = hashStatement(previousHash, content);
    const sealed = { name: month, content, previousHash, hash };
    [opening, previousHash] = [closing, hash];
    return sealed;
  });
};

const EXAMPLE: Statement = {
  partnerId: 7,
  month: '2026-11-01',
  opening: { ...ZERO_BALANCES, available: 100, commission: -100 },
  lines: [
    {
      id: 12,
      recordedAt: new Date('2026-11-15T12:30:00.123Z'),
      kind: 'commission',
      about: { occurred: '2026-11-15T12:30:00.000Z', program: 'affiliate', product: 'mainchat', percent: '20.00' },
      entries: { available: 980, commission: -980 },
    },
  ],
  closing: { ...ZERO_BALANCES, available: 1080, commission: -1080 },
};

describe('a statement', () => {
  it('a statement is readable text', () => {
    expect(writeStatement(EXAMPLE)).toBe(
      [
        'Statement 1',
        'partner 7',
        'month 2026-11',
        'opening available=100 held=0 pending=0 withdrawn=0 saved=0 commission=-100 discount=0',
        '12 2026-11-15T12:30:00.123Z commission occurred=2026-11-15T12:30:00.000Z program=affiliate product=mainchat percent=20.00 available=980 commission=-980',
        'closing available=1080 held=0 pending=0 withdrawn=0 saved=0 commission=-1080 discount=0',
        '',
      ].join('\n'),
    );
    expect(readStatement(writeStatement(EXAMPLE))).toEqual(EXAMPLE);
  });

  it.each([
    ['nothing', ''],
    ['a picture', '\u0000PNG'],
    ['another title', writeStatement(EXAMPLE).replace('Statement 1', 'Statement 2')],
    ['an invalid month', writeStatement(EXAMPLE).replace('2026-11\n', '2026-13\n')],
    ['an amount with decimals', writeStatement(EXAMPLE).replace('available=980', 'available=9.80')],
    ['an amount with too many digits', writeStatement(EXAMPLE).replace('available=980', `available=${'9'.repeat(20)}`)],
    ['a number with a leading zero', writeStatement(EXAMPLE).replace('available=980', 'available=0980')],
    ['an extra space', writeStatement(EXAMPLE).replace('commission occurred', 'commission  occurred')],
    ['a truncated end', writeStatement(EXAMPLE).slice(0, -30)],
    ['an unknown line', writeStatement(EXAMPLE).replace('closing', 'hello\nclosing')],
  ])('is not %s', (_, text) => {
    expect(() => readStatement(text)).toThrow();
  });
});

describe('the chain', () => {
  it('verifyChain sorts statements given in any order', () => {
    fc.assert(
      fc.property(anyBook, fc.boolean(), (months, turned) => {
        const sealed = seal(months).map(({ name, ...one }) => ({
          name,
          ...readStatementFile(writeStatementFile(one)),
        }));
        const { problems, closing, statements } = verifyChain(turned ? sealed.toReversed() : sealed);
        expect(problems).toEqual([]);
        expect(statements).toHaveLength(months.length);
        expect(closing).toEqual(addUp(ZERO_BALANCES, months.flat()));
      }),
      { numRuns: 200 },
    );
  });

  it('verifyChain notices any changed, swapped or missing character', () => {
    fc.assert(
      fc.property(
        anyBook,
        fc.nat(),
        fc.nat(),
        fc.constantFrom('0', '7', '-', ' ', 'x', ''),
        (months, which, where, put) => {
          const files = seal(months).map((one) => writeStatementFile(one));
          const at = which % files.length;
          const offset = where % files[at]!.length;
          const changed = files[at]!.slice(0, offset) + put + files[at]!.slice(offset + 1);
          fc.pre(changed !== files[at]);
          let problems: string[] = [];
          try {
            const sealed = files.map((text, index) => readStatementFile(index === at ? changed : text));
            ({ problems } = verifyChain(sealed.map((one, index) => ({ ...one, name: String(index) }))));
          } catch (error) {
            problems = [(error as Error).message];
          }
          expect(problems).not.toEqual([]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('verifyChain describes what is wrong', () => {
    const line = (available: number): Line => ({
      ...EXAMPLE.lines[0]!,
      entries: { available, commission: -available },
    });
    const sealed = seal([[line(1)], [], []]);
    const [first, second, third] = sealed as [(typeof sealed)[0], (typeof sealed)[0], (typeof sealed)[0]];
    expect(verifyChain([first, third]).problems).toEqual([
      '2027-01: the previous statement is of 2026-11, not of the month before',
      '2027-01: the hash of the previous statement does not match',
    ]);
    expect(verifyChain([second]).problems).toEqual([
      '2026-12: earlier statements are missing',
      '2026-12: the opening balances differ from the closing balances of the previous statement',
    ]);
    const forged = first.content.replaceAll('=1 ', '=2 ').replaceAll('=1\n', '=2\n');
    expect(verifyChain([{ ...first, content: forged }]).problems).toContain(
      '2026-11: the hash does not match the content',
    );
    const whole = { ...first, content: forged, hash: hashStatement(NO_HASH, forged) };
    expect(verifyChain([whole, second]).problems).toContain(
      '2026-12: the hash of the previous statement does not match',
    );
  });
});
