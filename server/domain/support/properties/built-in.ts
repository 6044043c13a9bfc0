import type { PropertyLocation, PropertyRight } from '#server/storage/tables/properties.ts';
import type { Definitions, PropertyDefinition } from './definitions.ts';

const READ_AND_WRITE: PropertyRight[] = ['read', 'write'];

const define = (
  type: PropertyDefinition['type'],
  locations: PropertyLocation[],
  customer: PropertyRight[] = ['read'],
  limits: Pick<PropertyDefinition, 'domain' | 'range' | 'maxLength'> = {},
): PropertyDefinition => ({
  type,
  access: Object.fromEntries(locations.map((location) => [location, { agent: READ_AND_WRITE, customer }])),
  ...limits,
});

const inChat: PropertyLocation[] = ['chat', 'thread'];
const anywhere: PropertyLocation[] = ['chat', 'thread', 'event'];
const onEvent: PropertyLocation[] = ['event'];

/** Namespaces of every account. Of these, customers may write only ratings. */
const namespaces: Record<string, Record<string, PropertyDefinition>> = {
  rating: {
    score: define('int', anywhere, READ_AND_WRITE, { domain: [0, 1] }),
    comment: define('string', anywhere, READ_AND_WRITE),
  },
  routing: {
    continuous: define('bool', inChat),
    idle: define('bool', inChat),
    pinned: define('bool', inChat),
    was_pinned: define('bool', inChat),
    unassigned: define('bool', inChat),
    start_url: define('string', inChat),
    referrer: define('string', inChat),
    offline_message: define('bool', inChat),
    last_transfer_timestamp: define('int', inChat, []),
    email_follow_up: define('bool', inChat, []),
  },
  source: {
    client_id: define('string', anywhere),
    customer_client_id: define('string', anywhere),
  },
  lc2: {
    welcome_message: define('bool', onEvent),
    form_type: define('string', onEvent),
    greeting_id: define('int', anywhere),
    greeting_unique_id: define('string', anywhere),
  },
  url_details: {
    url: define('string', onEvent),
    title: define('string', onEvent),
    description: define('string', onEvent),
    image_url: define('string', onEvent),
    image_original_url: define('string', onEvent),
    image_width: define('int', onEvent),
    image_height: define('int', onEvent),
  },
  translation: {
    text: define('any', onEvent),
    source_language: define('string', onEvent),
    target_language: define('string', onEvent),
  },
  status: { delivered: define('bool', onEvent) },
};

export const builtInDefinitions: Definitions = new Map(
  Object.entries(namespaces).map(([namespace, names]) => [namespace, new Map(Object.entries(names))]),
);
