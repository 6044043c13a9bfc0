import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/context.ts';

const CHECK_MS = 2_000;
/** With less, the embedded database and uploads are about to fail. */
const MIN_FREE_BYTES = 64 * 1024 * 1024;

export const databaseAnswers = async ({ database }: Context): Promise<boolean> => {
  const late = new Promise<never>((_, reject) => setTimeout(reject, CHECK_MS, new Error('timeout')).unref());
  try {
    await Promise.race([database.query({ text: 'select 1', values: [] }), late]);
    return true;
  } catch {
    return false;
  }
};

const hasFreeSpace = async ({ ports }: Context): Promise<boolean> => (await ports.files.freeBytes()) >= MIN_FREE_BYTES;

/**
 * Live: the process runs. Ready: it can serve requests. A lost bus connection is reported but does not make the server
 * unready, because it can still serve requests.
 */
export const addHealth = (app: FastifyInstance, ctx: Context): void => {
  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async (_, reply) => {
    const [database, storage] = await Promise.all([databaseAnswers(ctx), hasFreeSpace(ctx)]);
    const ready = database && storage && !ctx.stopping;
    reply.code(ready ? 200 : 503);
    const bus = ctx.ports.bus.connected();
    return { status: ready ? 'ready' : 'not ready', database, storage, bus, stopping: ctx.stopping };
  });
  app.get('/metrics', async (_, reply) => {
    reply.type(ctx.metrics.registry.contentType);
    return ctx.metrics.registry.metrics();
  });
};
