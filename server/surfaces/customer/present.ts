import { type ChatPresenter, chatPresenter } from '#server/dialects/chat-present.ts';
import { readableNames, readableProperties } from '#server/domain/properties/readable.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';

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
