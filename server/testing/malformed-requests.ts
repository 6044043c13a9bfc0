import fc from 'fast-check';
import type { Method, Operation } from '#contracts/operation.ts';
import { parseForm } from '#server/http/forms.ts';
import { compileCoercing } from '#server/http/validation.ts';
import { type ExampleRequest, toQueryString } from './examples.ts';
import { brokenJson, brokenQueries, hostileMembers, junk, wrongCredentials } from './malformed-values.ts';

export interface RawRequest {
  /** What is wrong with it, for whoever reads the failure. */
  fault: string;
  method: Method;
  url: string;
  headers: Record<string, string>;
  payload?: string | Buffer;
}

export interface Target {
  operation: Operation;
  /** Every operation that shares its method and its path: a request is wrong only if it is wrong for all of them. */
  shapes: readonly Operation[];
  /** Methods that some operation takes on this path. */
  methods: ReadonlySet<Method>;
  example: ExampleRequest;
  authorization: string;
  bodies: 'json' | 'form-or-json';
  /** Headers that name a version which is not served. */
  wrongVersions: Record<string, string>[];
}

type Mutation = fc.Arbitrary<RawRequest>;

const clone = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Whether no shape could take this part of a request. */
const isRefused = (shapes: readonly Operation[], part: 'params' | 'query' | 'body') => {
  const checks = shapes.map((shape) => shape[part] && compileCoercing(shape[part]));
  return (value: unknown): boolean => checks.every((check) => check !== undefined && !check(clone(value ?? {})));
};

/** The example as it goes over the wire; everything below changes one thing about it. */
const valid = ({ example, authorization, operation }: Target): Omit<RawRequest, 'fault'> => {
  const query = toQueryString(example.query);
  return {
    method: example.method,
    url: query ? `${example.path}?${query}` : example.path,
    headers: {
      ...(operation.public ? {} : { authorization }),
      ...(example.body ? { 'content-type': 'application/json' } : {}),
    },
    ...(example.body ? { payload: JSON.stringify(example.body) } : {}),
  };
};

const addQuery = (url: string, text: string): string => `${url}${url.includes('?') ? '&' : '?'}${text}`;

const withHeader = (target: Target, name: string, values: fc.Arbitrary<string>): Mutation =>
  values.map((value) => {
    const base = valid(target);
    return { ...base, fault: `${name}: ${value}`, headers: { ...base.headers, [name]: value } };
  });

const inAddress = (target: Target): Mutation[] => {
  const base = valid(target);
  const [path, query] = base.url.split('?') as [string, string | undefined];
  const moved = (to: string, fault: string): RawRequest => ({ ...base, url: query ? `${to}?${query}` : to, fault });
  const letters = fc.constantFrom('%00', '%zz', '%ff', '%ED%A0%80', '%', '%e0%a4%a');
  const mutations: Mutation[] = [letters.map((text) => moved(`${path}${text}`, `path ends in ${text}`))];
  if (target.operation.path.includes(':')) {
    const bad = fc.oneof(letters, fc.constantFrom('x'.repeat(400), `${'y'.repeat(200)}%00`, '%00%00', 'a%00b'));
    mutations.push(
      bad.map((text) => moved(target.operation.path.replace(/:\w+/g, text), `parameter ${text.slice(0, 20)}`)),
    );
    const refused = isRefused(target.shapes, 'params');
    const names = [...target.operation.path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
    mutations.push(
      fc
        .oneof(
          fc.constantFrom('0', '-1', '1e9', 'NaN', '..', '../..', "'", 'null', '9'.repeat(30)),
          fc.string({ minLength: 1, maxLength: 40 }),
        )
        .filter((text) => text.isWellFormed() && refused(Object.fromEntries(names.map((name) => [name, text]))))
        .map((text) => moved(target.operation.path.replace(/:\w+/g, encodeURIComponent(text)), `parameter ${text}`)),
    );
  }
  return mutations;
};

const inQuery = (target: Target): Mutation[] => {
  const base = valid(target);
  const mutations: Mutation[] = [
    fc
      .constantFrom(...brokenQueries)
      .map((text) => ({ ...base, url: addQuery(base.url, text), fault: `query ${text.slice(0, 40)}` })),
  ];
  const names = [...new Set(target.shapes.flatMap(({ query }) => Object.keys(query?.properties ?? {})))];
  if (names.length === 0) return mutations;
  const refused = isRefused(target.shapes, 'query');
  const values = fc.oneof(
    fc.constantFrom(
      '=',
      '[]=a&NAME[]=b',
      '[a]=b',
      '[a][b]=c',
      '=-1',
      '=NaN',
      '=1e400',
      '=99999999999999999999',
      '=0x10',
      '=null',
    ),
    fc.integer({ min: 300, max: 5000 }).map((length) => `=${'x'.repeat(length)}`),
    fc
      .string()
      .filter((text) => text.isWellFormed())
      .map((text) => `=${encodeURIComponent(text)}`),
  );
  const { query } = target.example;
  mutations.push(
    fc
      .tuple(fc.constantFrom(...names), values)
      .map(([name, value]) => {
        const { [name]: _, ...rest } = query;
        return [toQueryString(rest), `${name}${value.replaceAll('NAME', name)}`].filter(Boolean).join('&');
      })
      .filter((text) => refused(readForm(text)))
      .map((text) => ({ ...base, url: `${target.example.path}?${text}`, fault: `query ${text.slice(0, 60)}` })),
  );
  return mutations;
};

/** What cannot be read at all is refused before any schema is asked. */
const readForm = (text: string): unknown => {
  try {
    return parseForm(text);
  } catch {
    return undefined;
  }
};

/** Every place in a value, as a list of keys. */
const placesIn = (value: unknown, at: (string | number)[] = []): (string | number)[][] => [
  at,
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, item]) => placesIn(item, [...at, Array.isArray(value) ? Number(key) : key]))
    : []),
];

const replaceAt = (value: unknown, [key, ...rest]: (string | number)[], by: unknown): unknown => {
  if (key === undefined) return by;
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) };
  (copy as Record<string | number, unknown>)[key] = replaceAt(
    (value as Record<string | number, unknown>)[key],
    rest,
    by,
  );
  return copy;
};

const inBody = (target: Target): Mutation[] => {
  const { body } = target.example;
  if (!body) return [];
  const base = valid(target);
  const text = JSON.stringify(body);
  const carry = (payload: string | Buffer, fault: string, type = 'application/json'): RawRequest => ({
    ...base,
    fault,
    payload,
    headers: { ...base.headers, 'content-type': type },
  });
  const withMember = (member: string): string => `${text.slice(0, -1)}${text === '{}' ? '' : ','}${member}}`;
  const refused = isRefused(target.shapes, 'body');
  const [key = 'x', value = 1] = Object.entries(body)[0] ?? [];
  const mutations: Mutation[] = [
    fc
      .oneof(
        fc.constantFrom(...brokenJson),
        fc.nat({ max: Math.max(0, text.length - 2) }).map((at) => text.slice(0, at + 1)),
      )
      .map((broken) => carry(broken, `broken JSON ${broken.slice(0, 40)}`)),
    fc
      .constantFrom(...hostileMembers, `${JSON.stringify(key)}:${JSON.stringify(value)},"${key}":0`)
      .map((member) => carry(withMember(member), `member ${member.slice(0, 40)}`)),
    fc.constantFrom([0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf8]).map((bytes) => {
      const [before, after] = withMember('"x":"|"').split('|') as [string, string];
      return carry(Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]), `bytes ${bytes}`);
    }),
    fc
      .constantFrom(
        'application/xml',
        'text/html',
        'multipart/form-data',
        'application/json+x',
        'a/b; c="',
        'text/plain',
      )
      .map((type) => carry('<request/>', `content type ${type}`, type)),
    fc
      .tuple(fc.constantFrom(...placesIn(body)), junk)
      .map(([place, value]) => ({ place, changed: replaceAt(body, place, value) }))
      .filter(({ changed }) => refused(changed))
      .map(({ place, changed }) => carry(JSON.stringify(changed) ?? '{', `${place.join('.') || 'body'} replaced`)),
  ];
  if (target.bodies === 'json' || refused({ a: 'b' })) {
    mutations.push(fc.constant(carry('a=b&c[]=d', 'a form', 'application/x-www-form-urlencoded')));
  }
  return mutations;
};

const METHODS: Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Requests that are certainly wrong, in as many ways as there are. */
export const malformedRequests = (target: Target): Mutation => {
  const base = valid(target);
  const others = METHODS.filter((method) => !target.methods.has(method));
  const { payload: _, ...bodiless } = base;
  return fc.oneof(
    ...inAddress(target),
    ...inQuery(target),
    ...inBody(target),
    ...inBody(target),
    withHeader(target, 'content-encoding', fc.constantFrom('gzip', 'br', 'deflate', 'zstd', 'x')),
    ...(others.length > 0
      ? [
          fc
            .constantFrom(...others)
            .map((method) => ({ ...(method === 'GET' ? bodiless : base), method, fault: method })),
        ]
      : []),
    ...(target.operation.public ? [] : [withHeader(target, 'authorization', fc.constantFrom(...wrongCredentials))]),
    ...(target.wrongVersions.length > 0
      ? [
          fc
            .constantFrom(...target.wrongVersions)
            .map((headers) => ({ ...base, headers: { ...base.headers, ...headers }, fault: 'version' })),
        ]
      : []),
    ...(base.url.startsWith('/v3.5/')
      ? [
          fc
            .constantFrom('/v3.4/', '/v3.6/', '/v0/', '/v/', '/v3.5.1/', '/')
            .map((to) => ({ ...base, url: base.url.replace('/v3.5/', to), fault: `version ${to}` })),
        ]
      : []),
  );
};
