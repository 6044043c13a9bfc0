import fastify from 'fastify';
import pg from 'pg';

/**
 * The ceiling: a route that runs a single select by primary key. It is a separate process that uses the same database and as
 * many connections as the server.
 */
const { CONNECTION, MAX_CONNECTIONS } = process.env;
const pool = new pg.Pool({ ...(JSON.parse(CONNECTION!) as pg.PoolConfig), max: Number(MAX_CONNECTIONS) });

const app = fastify();
app.get<{ Querystring: { organization_id: string; id: string } }>('/chat', async ({ query }) => {
  const { rows } = await pool.query({
    name: 'chat',
    text: 'select * from chats where organization_id = $1 and id = $2',
    values: [query.organization_id, query.id],
  });
  return rows[0];
});
console.error(`ready at ${await app.listen({ port: 0, host: '127.0.0.1' })}`);
process.once('SIGTERM', async () => {
  await app.close();
  await pool.end();
});
