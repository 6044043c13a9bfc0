import { Type } from 'typebox';
import { ChatError, chatErrorStatuses } from '../chat/error.ts';
import { defineOperation, type SurfaceContract } from '../operation.ts';
import { orderFields } from '../order.ts';
import { Int32, oneOf } from '../values.ts';

const Text = (maxLength: number) => Type.String({ maxLength });

export const getTrackingScript = defineOperation({
  name: 'get_tracking_script',
  method: 'GET',
  path: '/tracking.js',
  summary: 'The script that tells of a page’s visitors',
  description:
    'Put `<script async src="…/tracking.js" data-license="<number>"></script>` into a page. It adds one global object, `ParleyTracking`.',
  public: true,
  download: true,
  responses: { 200: null, 304: null },
});

export const sendBeacon = defineOperation({
  name: 'send_beacon',
  rateLimit: 'beacon',
  method: 'POST',
  path: '/tracking/beacon',
  summary: 'A page tells that somebody looks at it',
  description:
    'The browser chooses its id and a secret once and keeps both; whoever sends the id with another secret is not `recognised`. The body is read as JSON whatever its content type.',
  public: true,
  body: Type.Object({
    license: Int32({ minimum: 1, description: 'The license number' }),
    visitor_id: Type.String({
      pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
      description: 'A UUID in lower case',
    }),
    secret: Type.String({ minLength: 32, maxLength: 128, pattern: '^[\\w-]+$' }),
    event: oneOf('view', 'beat', 'leave'),
    page: Type.Object({
      url: Type.String({ minLength: 1, maxLength: 8192, examples: ['https://shop.example/shoes'] }),
      title: Type.Optional(Text(4096)),
    }),
    group: Type.Optional(Int32()),
    referrer: Type.Optional(Text(8192)),
    language: Type.Optional(Text(64)),
    timezone: Type.Optional(Text(64)),
    variables: Type.Optional(
      Type.Array(Type.Object({ name: Type.String({ minLength: 1, maxLength: 128 }), value: Text(1024) }), {
        maxItems: 100,
        description: 'Custom variables; those of other names stay',
      }),
    ),
    goals: Type.Optional(
      Type.Array(Type.Object({ id: Int32(), ...orderFields }), {
        maxItems: 20,
        description: 'Goals of the types `api` and `sales_tracker` that were reached',
      }),
    ),
    look: Type.Optional(Type.Boolean({ description: 'The page can show a greeting, if one fits now' })),
    greeting: Type.Optional(Type.Object({ id: Int32(), unique_id: Text(64), decision: oneOf('accepted', 'refused') })),
  }),
  responses: {
    200: Type.Object({
      recognised: Type.Boolean({ description: 'False: the id belongs to another browser, so choose another one' }),
      next_in: Type.Number({ description: 'Seconds until the page should tell again' }),
      look: Type.Boolean({ description: 'Whether to ask for a greeting then' }),
      greeting: Type.Optional(
        Type.Object({
          id: Int32(),
          unique_id: Type.String(),
          text: Type.String(),
          agent: Type.Object({ name: Type.String(), avatar: Type.String(), job_title: Type.String() }),
        }),
      ),
    }),
  },
});

export const trackingContract: SurfaceContract = {
  name: 'tracking',
  title: 'Tracking',
  version: '1',
  description: 'Live visitors: a script for an account’s pages, and what it sends.',
  operations: [getTrackingScript, sendBeacon],
  error: ChatError,
  errors: chatErrorStatuses,
  security: {},
};
