import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import * as contract from '#contracts/partner/earlier/experts.ts';
import type { Context } from '#server/context.ts';
import { getExpertStats, listComments } from '#server/domain/partners/experts/comments.ts';
import { logoUrlOf, MAX_LOGO_BYTES, saveLogo } from '#server/domain/partners/experts/logo.ts';
import { getExpert, saveExpert } from '#server/domain/partners/experts/profile.ts';
import { findExpertListing } from '#server/domain/partners/experts/ranking.ts';
import { listViews } from '#server/domain/partners/experts/views.ts';
import type { PartnerScope } from '#server/domain/scope.ts';
import { readUpload } from '#server/http/multipart.ts';
import { type Route, route } from '#server/http/route.ts';
import { toPartnerTimestamp } from '../present.ts';
import { presentExpert, readExpertChanges } from './present-expert.ts';

const partnerRoute = route<PartnerScope>();

/** The image is the body itself, or the only file of a form. */
const openPicture = async (request: FastifyRequest): Promise<Readable> =>
  /^(image\/|application\/octet-stream)/i.test(request.headers['content-type'] ?? '')
    ? request.raw
    : (await readUpload(request, { maxBytes: MAX_LOGO_BYTES })).content;

export const expertRoutes = ({ ports: { files }, services }: Context): Route<PartnerScope>[] => [
  partnerRoute(contract.uploadExpertLogo, async ({ request, scope }) => {
    try {
      const { logoKey } = await saveLogo(scope, files, await openPicture(request));
      return { result: logoUrlOf(services.installation, logoKey) };
    } finally {
      // A sender that is still blocked on sending never reads the response.
      request.raw.resume();
    }
  }),
  partnerRoute(contract.createExpertProfile, async ({ body, scope }) => {
    await saveExpert(scope, readExpertChanges(body));
    return {};
  }),
  partnerRoute(contract.updateExpertProfile, async ({ body, scope }) => {
    await saveExpert(scope, readExpertChanges(body));
    return {};
  }),
  partnerRoute(contract.getExpertProfile, async ({ scope }) => presentExpert(services, await getExpert(scope))),
  partnerRoute(contract.listExpertComments, async ({ scope }) => ({
    result: (await listComments(scope)).map(({ comment, author, website, createdAt }) => ({
      ...{ comment, author, website },
      creation_timestamp: toPartnerTimestamp(createdAt),
    })),
  })),
  partnerRoute(contract.getExpertStats, async ({ scope }) => {
    const stats = await getExpertStats(scope);
    return { ...stats, position: (await findExpertListing(scope)).position };
  }),
  partnerRoute(contract.listExpertHistory, async ({ scope }) => ({
    result: (await listViews(scope)).map(({ month, views }) => ({ date: month, profile_views: views })),
  })),
];
