import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#server/testing/start-app.ts';
import type { Jobs } from './index.ts';
import type { JobHandlers } from './queue.ts';

let test: TestApp;
let done: string[];
beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(() => {
  done = [];
});

const mail = (subject: string): Jobs['send-mail'] => ({
  to: { address: 'a@b.example' },
  subject,
  text: 'x',
  messageId: `<${subject}@parley>`,
});

const handlers = (send: (subject: string) => Promise<void> = async () => {}): JobHandlers => ({
  ...test.context.jobHandlers,
  'send-mail': async ({ subject }) => {
    await send(subject);
    done.push(subject);
  },
});

const { enqueue, drain } = {
  enqueue: (subject: string) =>
    test.context.database.transaction((tx) => test.context.jobs.enqueue(tx, 'send-mail', mail(subject))),
  drain: (send?: (subject: string) => Promise<void>) => test.context.jobs.drain(handlers(send)),
};

describe('a job', () => {
  it('runs once, when its transaction has committed', async () => {
    await enqueue('one');
    await drain();
    await drain();
    expect(done).toEqual(['one']);
  });

  it('goes with a transaction that is undone', async () => {
    const failing = test.context.database.transaction(async (tx) => {
      await test.context.jobs.enqueue(tx, 'send-mail', mail('ghost'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await drain();
    expect(done).toEqual([]);
  });

  it('is tried again later when it fails, and does not hold up the others', async () => {
    await enqueue('bad');
    await enqueue('good');
    await drain(async (subject) => {
      if (subject === 'bad') throw new Error('the mail server sleeps');
    });
    expect(done).toEqual(['good']);
    await test.context.database.query({
      text: `update pgboss.job set start_after = now() where state = 'retry'`,
      values: [],
    });
    await drain();
    expect(done).toEqual(['good', 'bad']);
  });

  it('may cause others, which run in the same round', async () => {
    await enqueue('parent');
    await drain(async (subject) => {
      if (subject === 'parent') await enqueue('child');
    });
    expect(done).toEqual(['parent', 'child']);
  });

  it('is taken by one of two processes', async () => {
    await using other = await startTestApp({ beside: test });
    for (let at = 0; at < 20; at++) await enqueue(`job ${at}`);
    await Promise.all([drain(), other.context.jobs.drain(handlers())]);
    expect(done.toSorted()).toEqual(Array.from({ length: 20 }, (_, at) => `job ${at}`).toSorted());
  });

  it('is taken without being asked for once somebody works', async () => {
    await using other = await startTestApp({ beside: test });
    const taken = new Promise<void>((resolve) => {
      void other.context.jobs
        .work(handlers(async () => resolve()))
        .then(() => enqueue('worked'))
        .then(other.context.jobs.nudge);
    });
    await taken;
  });
});
