import fc from 'fast-check';
import type { Method, Operation } from '#contracts/operation.ts';
import { parseForm } from '#server/http/forms.ts';
import { compileCoercing } from '#server/http/validation.ts';
import { contentOf, type ExampleRequest, toQueryString } from './examples.ts';
import { brokenJson, brokenQueries, hostileMembers, junk, wrongCredentials } from './malformed-values.ts';

export interface RawRequest {
  /** What is wrong with the request, for the failure message. */
  problem: string;
  method: Method;
  url: string;
  headers: Record<string, string>;
  payload?: string | Buffer;
}

export interface Target {
  operation: Operation;
  /** All operations with the same method and path. A request is invalid only if it is invalid for all of them. */
  shapes: readonly Operation[];
  /** The methods that are supported on this path. */
  methods: ReadonlySet<Method>;
  example: ExampleRequest;
  authorization: string;
  bodies: 'json' | 'form-or-json';
  /** Headers that request an unsupported version. */
  wrongVersions: Record<string, string>[];
}

type Mutation = fc.Arbitrary<RawRequest>;

const SAMPLE_SEED = 7;
const SAMPLES = 300;

const clone = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

type Part = 'params' | 'query' | 'body';

/** Returns a check whether all operations reject this part of a request. An operation without a schema for it accepts everything. */
const createRejectionCheck = (shapes: readonly Operation[], part: Part) => {
  const checks = shapes.map((shape) => compileCoercing(shape[part] ?? {}));
  return (value: unknown): boolean => checks.every((check) => !check(clone(value ?? {})));
};

/** Samples values that all operations reject. They are sampled in advance, because filtering at run time may never find one. */
const sampleRejected = <T>(values: fc.Arbitrary<T>, isWrong: (value: T) => boolean): fc.Arbitrary<T>[] => {
  const found = fc.sample(values, { seed: SAMPLE_SEED, numRuns: SAMPLES }).filter(isWrong);
  return found.length > 0 ? [fc.constantFrom(...found)] : [];
};

/** The raw request of the example. Each mutation below changes one aspect of it. */
const valid = ({ example, authorization, operation }: Target): Omit<RawRequest, 'problem'> => {
  const query = toQueryString(example.query);
  const content = contentOf(example);
  return {
    method: example.method,
    url: query ? `${example.path}?${query}` : example.path,
    headers: {
      ...(operation.public ? {} : { authorization }),
      ...(content ? { 'content-type': content.type } : {}),
    },
    ...(content ? { payload: content.payload } : {}),
  };
};

const addQuery = (url: string, text: string): string => `${url}${url.includes('?') ? '&' : '?'}${text}`;

const withHeader = (target: Target, name: string, values: fc.Arbitrary<string>): Mutation =>
  values.map((value) => {
    const base = valid(target);
    return { ...base, problem: `${name}: ${value}`, headers: { ...base.headers, [name]: value } };
  });

const inAddress = (target: Target): Mutation[] => {
  const base = valid(target);
  const [path, query] = base.url.split('?') as [string, string | undefined];
  const moved = (to: string, problem: string): RawRequest => ({ ...base, url: query ? `${to}?${query}` : to, problem });
  const letters = fc.constantFrom('%00', '%zz', '%ff', '%ED%A0%80', '%', '%e0%a4%a');
  const mutations: Mutation[] = [letters.map((text) => moved(`${path}${text}`, `path ends in ${text}`))];
  if (target.operation.path.includes(':')) {
    const bad = fc.oneof(letters, fc.constantFrom('x'.repeat(400), `${'y'.repeat(200)}%00`, '%00%00', 'a%00b'));
    mutations.push(
      bad.map((text) => moved(target.operation.path.replace(/:\w+/g, text), `parameter ${text.slice(0, 20)}`)),
    );
    const refused = createRejectionCheck(target.shapes, 'params');
    const names = [...target.operation.path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
    const wrong = sampleRejected(
      fc.oneof(
        fc.constantFrom('0', '-1', '1e9', 'NaN', '..', '../..', "'", 'null', '9'.repeat(30)),
        fc.string({ minLength: 1, maxLength: 40 }),
      ),
      (text) =>
        !['.', '..'].includes(text) &&
        text.isWellFormed() &&
        refused(Object.fromEntries(names.map((name) => [name, text]))),
    );
    mutations.push(
      ...wrong.map((texts) =>
        texts.map((text) =>
          moved(target.operation.path.replace(/:\w+/g, encodeURIComponent(text)), `parameter ${text}`),
        ),
      ),
    );
  }
  return mutations;
};

const inQuery = (target: Target): Mutation[] => {
  const base = valid(target);
  const mutations: Mutation[] = [
    fc
      .constantFrom(...brokenQueries)
      .map((text) => ({ ...base, url: addQuery(base.url, text), problem: `query ${text.slice(0, 40)}` })),
  ];
  const names = [...new Set(target.shapes.flatMap(({ query }) => Object.keys(query?.properties ?? {})))];
  if (names.length === 0) return mutations;
  const refused = createRejectionCheck(target.shapes, 'query');
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
    fc.string().map((text) => `=${encodeURIComponent(text.toWellFormed().replaceAll('\0', ''))}`),
  );
  const { query } = target.example;
  const texts = fc.tuple(fc.constantFrom(...names), values).map(([name, value]) => {
    const { [name]: _, ...rest } = query;
    return [toQueryString(rest), `${name}${value.replaceAll('NAME', name)}`].filter(Boolean).join('&');
  });
  const wrong = sampleRejected(texts, (text) => refused(parseForm(text)));
  mutations.push(
    ...wrong.map((found) =>
      found.map((text) => ({ ...base, url: `${target.example.path}?${text}`, problem: `query ${text.slice(0, 60)}` })),
    ),
  );
  return mutations;
};

/** The paths of all nested values, as lists of keys. */
const pathsIn = (value: unknown, at: (string | number)[] = []): (string | number)[][] => [
  at,
  ...(typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, item]) => pathsIn(item, [...at, Array.isArray(value) ? Number(key) : key]))
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

/** Forms that are truncated, have the wrong content type, or contain no file or too many files. */
const inForm = (target: Target): Mutation[] => {
  if (!target.example.form) return [];
  // latin1 maps each byte to one character, so that binary content can be sliced and joined like text.
  const form = target.example.form.toString('latin1');
  const base = valid(target);
  const type = base.headers['content-type']!;
  const carry = (payload: string, problem: string, as = type): RawRequest => ({
    ...base,
    problem,
    payload: Buffer.from(payload, 'latin1'),
    headers: { ...base.headers, 'content-type': as },
  });
  const end = form.lastIndexOf('--');
  const parts = form.lastIndexOf('\r\n--') + 2;
  const holding = (content: string): string =>
    form.slice(0, form.indexOf('\r\n\r\n') + 4) + content + form.slice(parts - 2);
  return [
    fc.nat({ max: end - 1 }).map((at) => carry(form.slice(0, at), `form of ${at} bytes`)),
    fc
      .constantFrom('application/json', 'text/plain', 'multipart/form-data', 'multipart/mixed; boundary=x', `${type}x`)
      .map((as) => carry(form, `form as ${as}`, as)),
    fc.constantFrom(
      carry(form.replace(/; filename="[^"]*"/, ''), 'no file'),
      carry(form.slice(0, parts).repeat(2) + form.slice(parts), 'two files'),
      carry(holding('#!/bin/sh\n').replace(/filename="[^"]*"/, 'filename="example.sh"'), 'an executable file'),
      carry(holding(''), 'an empty file'),
      carry('', 'nothing'),
    ),
  ];
};

const inBody = (target: Target): Mutation[] => {
  const { body } = target.example;
  if (!body) return [];
  const base = valid(target);
  const text = JSON.stringify(body);
  const carry = (payload: string | Buffer, problem: string, type = 'application/json'): RawRequest => ({
    ...base,
    problem,
    payload,
    headers: { ...base.headers, 'content-type': type },
  });
  const withMember = (member: string): string => `${text.slice(0, -1)}${text === '{}' ? '' : ','}${member}}`;
  const refused = createRejectionCheck(target.shapes, 'body');
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
    ...sampleRejected(
      fc
        .tuple(fc.constantFrom(...pathsIn(body)), junk)
        .map(([path, value]) => ({ path, changed: replaceAt(body, path, value) })),
      ({ changed }) => refused(changed),
    ).map((found) =>
      found.map(({ path, changed }) => carry(JSON.stringify(changed) ?? '{', `${path.join('.') || 'body'} replaced`)),
    ),
  ];
  if (target.bodies === 'json' || refused({ a: 'b' })) {
    mutations.push(fc.constant(carry('a=b&c[]=d', 'a form', 'application/x-www-form-urlencoded')));
  }
  return mutations;
};

const METHODS: Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Generates requests that are certainly invalid. */
export const malformedRequests = (target: Target): Mutation => {
  const base = valid(target);
  const others = METHODS.filter((method) => !target.methods.has(method));
  const { payload: _, ...bodiless } = base;
  return fc.oneof(
    ...inAddress(target),
    ...inQuery(target),
    ...inBody(target),
    ...inBody(target),
    ...inForm(target),
    withHeader(target, 'content-encoding', fc.constantFrom('gzip', 'br', 'deflate', 'zstd', 'x')),
    ...(others.length > 0
      ? [
          fc
            .constantFrom(...others)
            .map((method) => ({ ...(method === 'GET' ? bodiless : base), method, problem: method })),
        ]
      : []),
    ...(target.operation.public ? [] : [withHeader(target, 'authorization', fc.constantFrom(...wrongCredentials))]),
    ...(target.wrongVersions.length > 0
      ? [
          fc
            .constantFrom(...target.wrongVersions)
            .map((headers) => ({ ...base, headers: { ...base.headers, ...headers }, problem: 'version' })),
        ]
      : []),
    ...(base.url.startsWith('/v3.5/')
      ? [
          fc
            .constantFrom('/v3.4/', '/v3.6/', '/v0/', '/v/', '/v3.5.1/', '/')
            .map((to) => ({ ...base, url: base.url.replace('/v3.5/', to), problem: `version ${to}` })),
        ]
      : []),
  );
};
