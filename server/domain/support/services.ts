import type { AppendLane } from './chats/append/append-lane.ts';
import type { EventCache } from './chats/read/event-cache.ts';
import type { ResponseCache } from './chats/read/response-cache.ts';
import type { ConfigurationCache } from './configuration/configuration-cache.ts';
import type { PropertyCatalog } from './properties/property-catalog.ts';

/** Services that only customer support uses. */
export interface SupportServices {
  appendLane: AppendLane;
  eventCache: EventCache;
  responseCache: ResponseCache;
  properties: PropertyCatalog;
  configurations: ConfigurationCache;
}
