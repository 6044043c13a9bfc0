import type { OrganizationScope } from '#server/domain/scope.ts';
import type { Definitions } from '#server/domain/support/properties/definitions.ts';
import { readableNames, readableProperties } from '#server/domain/support/properties/readable.ts';
import { writeOnce } from '#server/http/written-once.ts';
import { type ChatPresenter, chatPresenter } from '#server/surfaces/chat-v3/chat-present.ts';

/** Customers never learn an agent's login: they see the same opaque id each time. What is for agents they never see. */
export const presentTo = ({
  organizationId,
  services,
}: Pick<OrganizationScope, 'organizationId' | 'services'>): ChatPresenter =>
  chatPresenter(
    (login) => services.secrets.pseudonym(`${organizationId} ${login}`),
    ({ visibility }) => visibility === 'all',
    {
      // Whoever comes in here has had them read; what is not known yet stays hidden.
      properties: (...given) => readableProperties(services.properties.known(organizationId), 'customer', ...given),
      names: (...given) => readableNames(services.properties.known(organizationId), 'customer', ...given),
    },
  );

const presented = new WeakMap<object, { sight: Definitions; answer: object }>();

/** A record that is read again unchanged is the same object, and looks the same as long as the same properties may be seen. */
export const presentOnce = <Answer extends object>(
  { organizationId, services }: OrganizationScope,
  record: object,
  present: () => Answer,
): Answer => {
  const sight = services.properties.known(organizationId);
  const known = presented.get(record);
  if (known?.sight === sight) return known.answer as Answer;
  const answer = writeOnce(present());
  presented.set(record, { sight, answer });
  return answer;
};
