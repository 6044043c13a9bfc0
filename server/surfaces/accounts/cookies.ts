import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CookieIdentity } from '#server/domain/support/customers/tokens.ts';

const TWO_YEARS_SECONDS = 63_072_000;
const ID = '__lc_cid';
const SECRET = '__lc_cst';

export const readIdentity = ({ cookies }: FastifyRequest): CookieIdentity | undefined => {
  const customerId = cookies[ID];
  const secret = cookies[SECRET];
  return customerId && secret ? { customerId, secret } : undefined;
};

/**
 * The widget runs on other sites, where browsers accept cookies only over TLS. They are partitioned by the site of the page, so that
 * another site with the widget's script does not get this identity. Over plain HTTP the cookies work on the same site only.
 */
export const writeIdentity = (
  reply: FastifyReply,
  { customerId, secret }: CookieIdentity,
  { path, tls }: { path: string; tls: boolean },
): void => {
  const options = {
    path,
    maxAge: TWO_YEARS_SECONDS,
    httpOnly: true,
    secure: tls,
    sameSite: tls ? 'none' : 'lax',
    partitioned: tls,
  } as const;
  reply.setCookie(ID, customerId, options);
  reply.setCookie(SECRET, secret, options);
};
