import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/context.ts';

const CHECK_MS = 2_000;

export const databaseAnswers = async ({ database }: Context): Promise<boolean> => {
  const late = new Promise<never>((_, reject) => setTimeout(reject, CHECK_MS, new Error('timeout')).unref());
  try {
    await Promise.race([database.query({ text: 'select 1', values: [] }), late]);
    return true;
  } catch {
    return false;
  }
};

/**
 * Live: the process runs. Ready: it can serve requests. A lost bus connection is reported but does not make the server
 * unready, because it can still serve requests.
 */
export const addHealth = (app: FastifyInstance, ctx: Context): void => {
  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async (_, reply) => {
    const database = await databaseAnswers(ctx);
    const ready = database && !ctx.stopping;
    reply.code(ready ? 200 : 503);
    return { status: ready ? 'ready' : 'not ready', database, bus: ctx.ports.bus.connected(), stopping: ctx.stopping };
  });
  app.get('/metrics', async (_, reply) => {
    reply.type(ctx.metrics.registry.contentType);
    return ctx.metrics.registry.metrics();
  });
};
