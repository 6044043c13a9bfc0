/** Calls addresses that strangers chose. Whatever stands there, a call costs bounded time and memory. */
export interface Web {
  /** Any status is an answer. Rejects with RefusedAddressError or WebFailureError. */
  request(request: WebRequest): Promise<WebAnswer>;
  /** Ends the calls under way; later ones fail at once. */
  close(): void;
}

export interface WebRequest {
  url: string;
  method: 'GET' | 'POST' | 'HEAD';
  headers?: Record<string, string>;
  body?: string;
  /** For everything together: names, connections, redirects, the last byte of the body. */
  timeoutMs: number;
  /** Of the body; what comes after is not read. */
  maxBytes: number;
  /** With 0 a redirect is an answer like any other. A POST is never sent on. */
  maxRedirects: number;
  /** Says no to stop before the body. Not asked about a redirect that is followed. */
  accept?: (head: WebHead) => boolean;
  /** Lets `user:password@` in the URL become Basic credentials; else such a URL is refused. */
  allowCredentials?: boolean;
}

export interface WebHead {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
}

export interface WebAnswer extends WebHead {
  /** As sent: nothing is decompressed. */
  body: Buffer;
  /** The body went on, or was not accepted. */
  truncated: boolean;
  /** Where the answer came from after redirects, without credentials. */
  url: string;
}

/** Not a place that a stranger may make us call. The message says nothing about what a name leads to. */
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
