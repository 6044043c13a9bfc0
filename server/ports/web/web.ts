/** Calls URLs that users entered, with limited time and memory. */
export interface Web {
  /** Any status is a response. Rejects with RefusedAddressError or WebFailureError. */
  request(request: WebRequest): Promise<WebAnswer>;
  /** Aborts pending calls; later ones fail immediately. */
  close(): void;
}

export interface WebRequest {
  url: string;
  method: 'GET' | 'POST' | 'HEAD';
  headers?: Record<string, string>;
  body?: string;
  /** Includes name resolution, connections, redirects and the body. */
  timeoutMs: number;
  /** The maximum size of the body; the rest is not read. */
  maxBytes: number;
  /** With 0, a redirect is returned as the response. A POST is never repeated. */
  maxRedirects: number;
  /** Returns false to stop before the body. Not called for a redirect that is followed. */
  accept?: (head: WebHead) => boolean;
  /** Sends `user:password@` in the URL as Basic credentials; otherwise such a URL is rejected. */
  allowCredentials?: boolean;
}

export interface WebHead {
  status: number;
  /** Lower-case names. */
  headers: Record<string, string>;
}

export interface WebAnswer extends WebHead {
  /** As sent; nothing is decompressed. */
  body: Buffer;
  /** The body was longer or was not accepted. */
  truncated: boolean;
  /** The final URL without credentials. */
  url: string;
}

/** The URL may not be called. The message does not reveal what a name resolves to. */
export class RefusedAddressError extends Error {
  override name = 'RefusedAddressError';
}

export type WebFailure = 'timeout' | 'too_large' | 'network' | 'redirects' | 'closed';

export class WebFailureError extends Error {
  override name = 'WebFailureError';
  readonly reason: WebFailure;

  constructor(reason: WebFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
