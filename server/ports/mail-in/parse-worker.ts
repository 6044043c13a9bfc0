import { parentPort } from 'node:worker_threads';
import { parseMail } from './parse-mail.ts';

parentPort?.on('message', async (raw: Uint8Array) => parentPort?.postMessage(await parseMail(raw)));
