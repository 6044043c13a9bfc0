import type { Push } from '#contracts/chat/frames.ts';

type Properties = Record<string, Record<string, unknown>>;

const mergeProperties = (current: Properties, added: Properties): Properties => {
  const merged = { ...current };
  for (const [namespace, values] of Object.entries(added)) merged[namespace] = { ...merged[namespace], ...values };
  return merged;
};

const removeProperties = (current: Properties, names: Record<string, string[]>): Properties => {
  const rest: Properties = {};
  for (const [namespace, values] of Object.entries(current)) {
    const remaining = Object.entries(values).filter(([name]) => !names[namespace]?.includes(name));
    if (remaining.length > 0) rest[namespace] = Object.fromEntries(remaining);
  }
  return rest;
};

type PropertiesPush = Extract<Push, { action: `${'chat' | 'thread' | 'event'}_properties_${'updated' | 'deleted'}` }>;

/** The properties of a chat, thread or event after a push about them. */
export const changeProperties = (current: Properties, push: PropertiesPush): Properties =>
  push.action.endsWith('_updated')
    ? mergeProperties(current, push.payload.properties as Properties)
    : removeProperties(current, push.payload.properties as Record<string, string[]>);
