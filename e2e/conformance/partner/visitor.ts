import { type ApiResponse, send } from '../customer/call.ts';

/** A minimal browser: it keeps cookies and follows redirects only in `open` and `submit`. */
export interface Visitor {
  get(url: string, headers?: Record<string, string>): Promise<ApiResponse>;
  head(url: string): Promise<ApiResponse>;
  /** Fills in and submits the only form of the page, including its hidden fields. */
  submit(page: ApiResponse & { url: string }, values: Record<string, string>): Promise<ApiResponse & { url: string }>;
  /** Follows redirects to the final page. */
  open(url: string): Promise<ApiResponse & { url: string }>;
  cookies(): string;
}

let visitors = 0;

/** Unique, because visitors behind one IP address are distinguished by it. */
const newUserAgent = (): string =>
  `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.${process.pid}.${visitors++} Safari/537.36`;

const MAX_REDIRECTS = 5;

const readEntities = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39|#x27);/g, (_, name: string) =>
    name === 'amp' ? '&' : name === 'lt' ? '<' : name === 'gt' ? '>' : name === 'quot' ? '"' : "'",
  );

const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return found === undefined ? undefined : readEntities(found);
};

/** The first link of a page whose URL contains this text. */
export const findLink = (page: string, part: string): string => {
  const links = [...page.matchAll(/<a\s[^>]*>/g)].map(([tag]) => attribute(tag, 'href') ?? '');
  const found = links.find((href) => href.includes(part));
  if (found === undefined) throw new Error(`no link to ${part} among ${links.join(', ')}`);
  return found;
};

export const createVisitor = (base: string, userAgent = newUserAgent()): Visitor => {
  const jar = new Map<string, string>();
  const cookies = (): string => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

  const request = async (url: string, init: RequestInit = {}): Promise<ApiResponse> => {
    const response = await send(new URL(url, base).href, {
      ...init,
      headers: {
        accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
        'user-agent': userAgent,
        ...(jar.size > 0 ? { cookie: cookies() } : {}),
        ...(init.headers as Record<string, string>),
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      jar.set(name!, value!);
    }
    return response;
  };

  const follow = async (url: string, response: ApiResponse): Promise<ApiResponse & { url: string }> => {
    let at = { ...response, url: new URL(url, base).href };
    for (let left = MAX_REDIRECTS; at.status >= 300 && at.status < 400; left--) {
      if (left === 0) throw new Error(`${url} has more than ${MAX_REDIRECTS} redirects`);
      const next = new URL(at.headers.get('location')!, at.url).href;
      at = { ...(await request(next)), url: next };
    }
    return at;
  };

  return {
    cookies,
    get: (url, headers = {}) => request(url, { headers }),
    head: (url) => request(url, { method: 'HEAD' }),
    open: async (url) => follow(url, await request(url)),
    submit: async ({ url, body }, values) => {
      const [, tag, inside] = /(<form\s[^>]*>)(.*?)<\/form>/s.exec(body)!;
      const fields = new URLSearchParams();
      for (const [input] of inside!.matchAll(/<input\s[^>]*>/g)) {
        const name = attribute(input, 'name');
        if (name !== undefined) fields.set(name, attribute(input, 'value') ?? '');
      }
      for (const [name, value] of Object.entries(values)) fields.set(name, value);
      const action = new URL(attribute(tag!, 'action') ?? url, url).href;
      const sent = await request(action, {
        method: attribute(tag!, 'method')?.toUpperCase() ?? 'GET',
        headers: { origin: new URL(url).origin, referer: url },
        body: fields,
      });
      return follow(action, sent);
    },
  };
};
