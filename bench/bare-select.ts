import fastify from 'fastify';
import pg from 'pg';

/**
 * The measure: a route that does nothing but one select by primary key. A process of its own on the same database, with
 * as many connections as the server has.
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
