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
  summary: 'Returns the script that tracks visitors of a page',
  description:
    'Add `<script async src="…/tracking.js" data-license="<number>"></script>` to a page. It defines one global object, `ParleyTracking`.',
  public: true,
  download: true,
  responses: { 200: null, 304: null },
});

export const sendBeacon = defineOperation({
  name: 'send_beacon',
  rateLimit: 'beacon',
  method: 'POST',
  path: '/tracking/beacon',
  summary: 'Reports that a page is being viewed',
  description:
    'The browser generates its id and a secret once and stores both. A request with a known id and another secret is not `recognised`. The body is parsed as JSON regardless of its content type.',
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
        description: 'Custom variables; variables with other names are kept',
      }),
    ),
    goals: Type.Optional(
      Type.Array(Type.Object({ id: Int32(), ...orderFields }), {
        maxItems: 20,
        description: 'Reached goals of the types `api` and `sales_tracker`',
      }),
    ),
    look: Type.Optional(Type.Boolean({ description: 'Whether the page can show a greeting now' })),
    greeting: Type.Optional(Type.Object({ id: Int32(), unique_id: Text(64), decision: oneOf('accepted', 'refused') })),
  }),
  responses: {
    200: Type.Object({
      recognised: Type.Boolean({ description: 'False if the id belongs to another browser; generate a new id' }),
      next_in: Type.Number({ description: 'Seconds until the next beacon' }),
      look: Type.Boolean({ description: 'Whether to ask for a greeting in the next beacon' }),
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
  description: 'Live visitors: the tracking script and the beacons it sends.',
  operations: [getTrackingScript, sendBeacon],
  error: ChatError,
  errors: chatErrorStatuses,
  security: {},
};
