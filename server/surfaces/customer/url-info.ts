import type { FastifyInstance } from 'fastify';
import * as contract from '#contracts/customer/url-info.ts';
import type { Context, Ports } from '#server/context.ts';
import { notFound } from '#server/domain/errors.ts';
import { isUuid } from '#server/domain/ids.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { createPreviews, imageKey, type UrlPreview } from '#server/domain/support/previews/preview-url.ts';
import { createClassLimiter } from '#server/http/rate-limit.ts';
import { type Action, action } from '#server/http/route.ts';
import { sendFile } from '#server/http/send-file.ts';

const A_YEAR_SECONDS = 365 * 24 * 3600;

const present = ({ url, title, description, image }: UrlPreview, publicUrl: string) => ({
  ...(title === undefined ? {} : { title }),
  ...(description === undefined ? {} : { description }),
  ...(image === undefined
    ? {}
    : {
        image_url: `${publicUrl}${image.path}`,
        image_original_url: image.originalUrl,
        image_width: image.width,
        image_height: image.height,
      }),
  url,
});

export const urlInfoActions = (ctx: Context): Action<OrganizationScope>[] => {
  const previewUrl = createPreviews({ read: ctx.ports.readUrlInfo, store: ctx.ports.files });
  const limit = createClassLimiter(contract.getUrlInfo.rateLimit, ctx.config.rateLimits);
  return [
    action<OrganizationScope>()(contract.getUrlInfo, async ({ body, scope }) => {
      if (scope.actor.kind === 'customer') limit.caller(scope.actor.id);
      limit.organization(scope.organizationId);
      return present(await previewUrl(scope, body), ctx.publicUrl());
    }),
  ];
};

/** Resized preview images. Anyone who knows the URL may read them; the name is a hash of the content. */
export const addUrlImages = (app: FastifyInstance, { files }: Pick<Ports, 'files'>): void => {
  app.get<{ Params: { organization: string; name: string } }>(
    '/url-images/:organization/:name',
    async (request, reply) => {
      const { organization, name } = request.params;
      const id = /^([0-9a-f]{32})\.webp$/.exec(name)?.[1];
      if (!id || !isUuid(organization)) throw notFound('Picture');
      const key = imageKey(organization.toLowerCase(), id);
      const first = await files.read(key, { start: 0, end: 0 });
      if (!first) throw notFound('Picture');
      first.stream.destroy();
      return sendFile(request, reply, {
        name,
        contentType: 'image/webp',
        size: first.size,
        downloadOnly: false,
        tag: id,
        maxAgeSeconds: A_YEAR_SECONDS,
        read: (range) => files.read(key, range),
      });
    },
  );
};
