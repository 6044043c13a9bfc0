import { readConfig } from '#server/config.ts';
import { startServer } from '#server/server.ts';

/** The server with one statement per request, to show what the append lane is worth. */
const server = await startServer({
  config: readConfig(process.env),
  say: (line) => void process.stderr.write(`${line}\n`),
  lane: { lanes: 4096, maxPerBatch: 1 },
});
process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)));
