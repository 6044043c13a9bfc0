/**
 * Sent with every response. Pages add their own content security policy. Other sites may embed only what says so itself:
 * scripts and files. Reading an API with CORS is not affected.
 */
export const API_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** For responses that pages of other sites load as a script or an image. */
export const EMBEDDABLE = { 'cross-origin-resource-policy': 'cross-origin' } as const;

/** For installations with an HTTPS URL: browsers do not use plain HTTP for this host for a year. */
export const HTTPS_HEADERS = { 'strict-transport-security': 'max-age=31536000' } as const;

/** Pages run only scripts that the policy names, and cannot be framed. */
export const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
} as const;
