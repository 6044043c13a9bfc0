import { type ChatPresenter, chatPresenter } from '#server/dialects/chat-present.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';

/** Customers never learn an agent's login: they see the same opaque id each time. */
export const presentTo = ({ organizationId, services }: OrganizationScope): ChatPresenter =>
  chatPresenter((login) => services.secrets.pseudonym(`${organizationId} ${login}`));
