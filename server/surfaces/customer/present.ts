import type { OrganizationScope } from '#server/domain/scope.ts';
import type { Definitions } from '#server/domain/support/properties/definitions.ts';
import { readableNames, readableProperties } from '#server/domain/support/properties/readable.ts';
import { markCacheable } from '#server/http/serialized-response.ts';
import { type ChatPresenter, chatPresenter } from '#server/surfaces/chat-v3/present-chat.ts';

/** Customers see a stable opaque id instead of an agent's login, and never see events for agents only. */
export const presentTo = ({
  organizationId,
  services,
}: Pick<OrganizationScope, 'organizationId' | 'services'>): ChatPresenter =>
  chatPresenter(
    (login) => services.secrets.pseudonym(`${organizationId} ${login}`),
    ({ visibility }) => visibility === 'all',
    {
      // The properties were loaded during authentication; unknown ones stay hidden.
      properties: (...args) => readableProperties(services.support.properties.get(organizationId), 'customer', ...args),
      names: (...args) => readableNames(services.support.properties.get(organizationId), 'customer', ...args),
    },
  );

const presented = new WeakMap<object, { definitions: Definitions; answer: object }>();

/** Caches the presented form of an unchanged record for as long as the same properties are visible. */
export const presentCached = <Answer extends object>(
  { organizationId, services }: OrganizationScope,
  record: object,
  present: () => Answer,
): Answer => {
  const definitions = services.support.properties.get(organizationId);
  const cached = presented.get(record);
  if (cached?.definitions === definitions) return cached.answer as Answer;
  const answer = markCacheable(present());
  presented.set(record, { definitions, answer });
  return answer;
};
