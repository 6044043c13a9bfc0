import type { Properties } from '#server/storage/tables/chats.ts';
import type { Actor } from '../../access.ts';
import { checkProperties, mergeWithinLimit } from './check-properties.ts';
import type { Definitions, PropertyLocation } from './definitions.ts';

export interface InitialProperties {
  chatProperties?: Properties | undefined;
  threadProperties?: Properties | undefined;
  events: { properties: Properties }[];
}

/** Properties of a new chat, thread or event obey the same rules as later changes. */
export const checkInitialProperties = (
  definitions: Definitions,
  actor: Actor,
  { chatProperties = {}, threadProperties = {}, events }: InitialProperties,
): void => {
  const input: [PropertyLocation, Properties][] = [
    ['chat', chatProperties],
    ['thread', threadProperties],
    ...events.map(({ properties }): [PropertyLocation, Properties] => ['event', properties]),
  ];
  for (const [location, properties] of input) {
    checkProperties(definitions, actor, location, properties);
    mergeWithinLimit({}, properties);
  }
};
