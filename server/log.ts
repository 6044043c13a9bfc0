import { type Logger, pino } from 'pino';

/** JSON lines on standard output. Headers and query strings are never logged, because they may contain credentials. */
export const createLog = (level: string): Logger =>
  pino({
    level,
    base: { pid: process.pid },
    redact: { paths: ['*.password', '*.token', '*.apiKey', '*.authorization', '*.cookie'], censor: '[hidden]' },
    serializers: {
      req: (request: { method: string; url: string }) => ({
        method: request.method,
        path: request.url.split('?', 1)[0],
      }),
      err: pino.stdSerializers.err,
    },
  });
