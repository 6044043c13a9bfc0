import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '#server/context.ts';
import { notFound } from '#server/domain/errors.ts';
import { findUncountedReason } from '#server/domain/partners/clicks/uncounted-reason.ts';
import { readComments } from '#server/domain/partners/experts/comments.ts';
import { getPublicExpert } from '#server/domain/partners/experts/get-public-expert.ts';
import { readRanking } from '#server/domain/partners/experts/ranking.ts';
import { countView } from '#server/domain/partners/experts/views.ts';
import { writeToExpert } from '#server/domain/partners/experts/write-to-expert.ts';
import { openPlatformScope } from '#server/domain/scope.ts';
import { createAddressLimiter, createRateLimiter } from '#server/http/rate-limit.ts';
import { sendFile } from '#server/http/send-file.ts';
import { renderNotice } from '../layout/layout.ts';
import { isPrefetch } from '../short-links/record-hit.ts';
import { readMessage } from './expert-message.ts';
import { renderExpert, renderExperts } from './expert-pages.ts';

const PER_ADDRESS = { perSecond: 1 / 60, burst: 3 };
const PER_EXPERT = { perSecond: 1 / 60, burst: 20 };
const A_DAY_SECONDS = 24 * 3600;
const LOGO = /^[0-9a-f]{32}\.(jpg|png)$/;

const readId = (text: string): number => {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw notFound('Expert');
  return Number(text);
};

/** The marketplace: the list of experts and a profile with a contact form for each. */
export const addExperts = (app: FastifyInstance, ctx: Context): void => {
  const { services } = ctx;
  const { files } = ctx.ports;
  const limitAddress = createAddressLimiter(PER_ADDRESS, ctx.config.rateLimits);
  const limitExpert = createRateLimiter(PER_EXPERT, ctx.config.rateLimits);

  /** Views are counted once per person and hour. */
  const fingerprintOf = ({ headers, ip }: FastifyRequest): Buffer =>
    services.secrets.hash(`viewer ${ip} ${headers['user-agent'] ?? ''}`);
  const isView = ({ headers, method }: FastifyRequest): boolean =>
    findUncountedReason({
      head: method === 'HEAD',
      prefetch: isPrefetch(headers),
      userAgent: headers['user-agent'],
    }) === undefined;

  app.get('/experts', async () => renderExperts(await readRanking(openPlatformScope(services, { kind: 'visitor' }))));

  app.get<{ Params: { id: string } }>('/experts/:id', async (request) => {
    const { scope, expert } = await getPublicExpert(services, readId(request.params.id));
    if (isView(request)) await countView(scope, fingerprintOf(request));
    return renderExpert(expert, await readComments(scope));
  });

  app.post<{ Params: { id: string } }>('/experts/:id', async (request, reply) => {
    const { scope, expert } = await getPublicExpert(services, readId(request.params.id));
    const { message, errors } = readMessage(request.body);
    if (!message) {
      reply.code(400);
      return renderExpert(expert, await readComments(scope), errors);
    }
    limitAddress(request.ip);
    limitExpert(request.params.id);
    await writeToExpert(scope, message);
    return renderNotice('Message sent', `${expert.company} will reply to your email address.`);
  });

  app.get<{ Params: { id: string; name: string } }>('/expert-logos/:id/:name', async (request, reply) => {
    const { id, name } = request.params;
    if (!LOGO.test(name)) throw notFound('Logo');
    const key = `experts/${readId(id)}/${name}`;
    const stored = await files.read(key);
    if (!stored) throw notFound('Logo');
    const { size, stream } = stored;
    try {
      return await sendFile(request, reply, {
        name,
        contentType: name.endsWith('.png') ? 'image/png' : 'image/jpeg',
        size,
        downloadOnly: false,
        tag: name,
        maxAgeSeconds: A_DAY_SECONDS,
        read: async (range) => (range ? files.read(key, range) : { stream }),
      });
    } finally {
      stream.destroy();
    }
  });
};
