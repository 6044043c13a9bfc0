import { beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
import { type JobHandlers, openJobQueue } from './queue.ts';

const test = useTestApp();
let done: string[];
beforeEach(() => {
  done = [];
});

const handlers = (send: (login: string) => Promise<void> = async () => {}): JobHandlers => ({
  ...test.context.background.jobHandlers,
  'mail-password-resets': async ({ login }) => {
    await send(login);
    done.push(login);
  },
});

const { enqueue, drain } = {
  enqueue: (login: string) =>
    test.context.database.transaction((tx) =>
      test.context.background.jobs.enqueue(tx, 'mail-password-resets', { login }),
    ),
  drain: (send?: (login: string) => Promise<void>) => test.context.background.jobs.drain(handlers(send)),
};

describe('the job queue', () => {
  it('runs a job once, when its transaction has committed', async () => {
    await enqueue('one');
    await drain();
    await drain();
    expect(done).toEqual(['one']);
  });

  it('drops the job of a transaction that is rolled back', async () => {
    const failing = test.context.database.transaction(async (tx) => {
      await test.context.background.jobs.enqueue(tx, 'mail-password-resets', { login: 'ghost' });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await drain();
    expect(done).toEqual([]);
  });

  it('retries a failed job later without delaying the others', async () => {
    await enqueue('bad');
    await enqueue('good');
    await drain(async (login) => {
      if (login === 'bad') throw new Error('the database is slow');
    });
    expect(done).toEqual(['good']);
    await test.context.database.query({
      text: `update pgboss.job set start_after = now() where state = 'retry'`,
      values: [],
    });
    await drain();
    expect(done).toEqual(['good', 'bad']);
  });

  it('runs jobs that a job enqueues in the same drain', async () => {
    await enqueue('parent');
    await drain(async (login) => {
      if (login === 'parent') await enqueue('child');
    });
    expect(done).toEqual(['parent', 'child']);
  });

  it('runs each job in one of two processes', async () => {
    await using other = await startTestApp({ beside: test });
    for (let at = 0; at < 20; at++) await enqueue(`job ${at}`);
    await Promise.all([drain(), other.context.background.jobs.drain(handlers())]);
    expect(done.toSorted()).toEqual(Array.from({ length: 20 }, (_, at) => `job ${at}`).toSorted());
  });

  it('runs enqueued jobs without drain() after work() was called', async () => {
    await using other = await startTestApp({ beside: test });
    const taken = new Promise<void>((resolve) => {
      void other.context.background.jobs
        .work(handlers(async () => resolve()))
        .then(() => enqueue('worked'))
        .then(other.context.background.jobs.nudge);
    });
    await taken;
  });
});

describe('stopping the job queue', () => {
  const stateOf = async (login: string) => {
    const text = `select state from pgboss.job where name = 'mail-password-resets' and data ->> 'login' = $1`;
    return (await test.context.database.query<{ state: string }>({ text, values: [login] })).rows[0]!.state;
  };

  /** Another queue with one running job. */
  const begin = async (login: string, send: () => Promise<void>) => {
    const errors: object[] = [];
    const log = { info: () => {}, error: (details: object) => void errors.push(details) };
    const queue = await openJobQueue(test.connection, ['mail-password-resets'], log);
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    await queue.work({
      ...test.context.background.jobHandlers,
      'mail-password-resets': async () => {
        begun.resolve();
        await send();
        ended.resolve();
      },
    });
    await enqueue(login);
    queue.nudge();
    await begun.promise;
    return { queue, errors, ended: ended.promise };
  };

  it('waits for the running job', async () => {
    const gate = Promise.withResolvers<void>();
    const { queue, errors } = await begin('long', () => gate.promise);
    const stopped = queue.stop(20_000);
    gate.resolve();
    await stopped;
    expect([await stateOf('long'), errors]).toEqual(['completed', []]);
  });

  it('returns a job to the queue that does not end in time, and logs no error when it ends afterwards', async () => {
    const gate = Promise.withResolvers<void>();
    const { queue, errors, ended } = await begin('deaf', () => gate.promise);
    await queue.stop(1);
    expect(await stateOf('deaf')).toBe('retry');
    gate.resolve();
    await ended;
    for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
    expect(errors).toEqual([]);
  });
});
