import Fastify from 'fastify';

/** The ceiling: a redirect to a fixed target that stores nothing. */
const app = Fastify();
app.get<{ Params: { code: string } }>('/go/:code', (request, reply) =>
  reply.redirect(`http://127.0.0.1/products/mainchat?a=1&utm_campaign=${request.params.code}`, 302),
);
process.stderr.write(`ready at ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
