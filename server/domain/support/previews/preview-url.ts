import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { UrlPreviewsTable } from '#server/storage/tables/url-previews.ts';
import { requireCustomer } from '../../access.ts';
import { DomainError, invalid } from '../../errors.ts';
import type { ContentStore } from '../../files/content-store.ts';
import type { OrganizationScope } from '../../scope.ts';

const KEEP_MS = 7 * 24 * 3600 * 1000;
/** Failures are cached for a short time. */
const FAILURE_TTL_MS = 10 * 60 * 1000;
const MAX_PER_BATCH = 16;
const MAX_PER_ORGANIZATION = 4;
const MAX_IMAGE_BYTES = 2 * 1024 * 1024;

/** The preview of a URL; the image is a thumbnail stored by us. */
export interface FoundPage {
  url: string;
  title?: string | undefined;
  description?: string | undefined;
  image?: { bytes: Buffer; originalUrl: string; width: number; height: number } | undefined;
}

export interface UrlPreview {
  url: string;
  title?: string;
  description?: string;
  image?: { path: string; originalUrl: string; width: number; height: number };
}

export interface PreviewTools {
  /** Undefined if there is no preview, for whatever reason. */
  read(url: string): Promise<FoundPage | undefined>;
  store: Pick<ContentStore, 'write'>;
}

export type PreviewUrl = (scope: OrganizationScope, input: { url: string }) => Promise<UrlPreview>;

type Row = Pick<Selectable<UrlPreviewsTable>, 'url' | 'title' | 'description' | 'image' | 'fetchedAt'>;

export const imagePath = (organizationId: string, id: string): string => `/url-images/${organizationId}/${id}.webp`;

/** The storage key of the image. */
export const imageKey = (organizationId: string, id: string): string => `${organizationId}/previews/${id}.webp`;

const digest = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex').slice(0, 32);

const readAddress = (text: string): string => {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw invalid('url', 'must be an http or https URL');
  url.hash = '';
  return url.href;
};

const isFresh = ({ url, fetchedAt }: Row, now: Date): boolean =>
  now.getTime() - fetchedAt.getTime() < (url === null ? FAILURE_TTL_MS : KEEP_MS);

const toPreview = (organizationId: string, { url, title, description, image }: Row): UrlPreview => {
  if (url === null) throw invalid('url', 'must be the URL of a public page');
  return {
    url,
    ...(title === null ? {} : { title }),
    ...(description === null ? {} : { description }),
    ...(image === null
      ? {}
      : {
          image: {
            path: imagePath(organizationId, image.id),
            originalUrl: image.originalUrl,
            width: image.width,
            height: image.height,
          },
        }),
  };
};

/** Fetches and caches a preview. */
const fetchPreview = async (scope: OrganizationScope, tools: PreviewTools, id: string, url: string): Promise<Row> => {
  const page = await tools.read(url);
  const image = page?.image && { id: digest(page.image.bytes), ...page.image };
  if (image) {
    const { bytes } = image;
    const content = (async function* () {
      yield bytes;
    })();
    await tools.store.write(imageKey(scope.organizationId, image.id), content, { maxBytes: MAX_IMAGE_BYTES });
  }
  const { bytes: _, ...stored } = image ?? {};
  const found = {
    url: page?.url ?? null,
    title: page?.title ?? null,
    description: page?.description ?? null,
    image: image ? JSON.stringify(stored) : null,
    fetchedAt: scope.now(),
  };
  return scope
    .insert('urlPreviews', { id, ...found })
    .onConflict((conflict) => conflict.columns(['organizationId', 'id']).doUpdateSet(found))
    .returning(['url', 'title', 'description', 'image', 'fetchedAt'])
    .executeTakeFirstOrThrow();
};

/**
 * Link previews. Each URL is fetched once at a time, and few URLs concurrently, since a server may be slow on purpose.
 */
export const createPreviews = (tools: PreviewTools): PreviewUrl => {
  const pending = new Map<string, Promise<Row>>();
  const assertRoom = (organizationId: string): void => {
    const own = [...pending.keys()].filter((key) => key.startsWith(organizationId)).length;
    if (pending.size >= MAX_PER_BATCH || own >= MAX_PER_ORGANIZATION)
      throw new DomainError('too_many_requests', 'Too many requests', { retryAfterSeconds: 5 });
  };

  const fetchOnce = (scope: OrganizationScope, id: string, url: string): Promise<Row> => {
    const key = `${scope.organizationId} ${id}`;
    const already = pending.get(key);
    if (already) return already;
    assertRoom(scope.organizationId);
    const fetching = fetchPreview(scope, tools, id, url).finally(() => pending.delete(key));
    pending.set(key, fetching);
    return fetching;
  };

  return async (scope, input) => {
    requireCustomer(scope.actor);
    const url = readAddress(input.url);
    const id = digest(url);
    const existing = await scope
      .from('urlPreviews')
      .where('id', '=', id)
      .select(['url', 'title', 'description', 'image', 'fetchedAt'])
      .executeTakeFirst();
    const row = existing && isFresh(existing, scope.now()) ? existing : await fetchOnce(scope, id, url);
    return toPreview(scope.organizationId, row);
  };
};
