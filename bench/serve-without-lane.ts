import { readConfig } from '#server/config.ts';
import { startServer } from '#server/server.ts';

/** Starts the server with one statement per request, to measure the effect of the append lane. */
const server = await startServer({
  config: readConfig(process.env),
  print: (line) => void process.stderr.write(`${line}\n`),
  lane: { lanes: 4096, maxPerBatch: 1 },
});
process.on('SIGTERM', () => void server.stop().then(() => process.exit(0)));
