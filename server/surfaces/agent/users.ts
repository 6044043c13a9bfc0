import * as contract from '#contracts/agent/users.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { addUser, removeUser } from '#server/domain/support/chats/participants/change-users.ts';
import { type Action, action } from '#server/http/route.ts';

interface UserChange {
  chat_id: string;
  user_id: string;
  user_type: 'agent' | 'customer';
  ignore_requester_presence?: boolean | null;
}

const readChange = (body: UserChange) => ({
  chatId: body.chat_id,
  user: { kind: body.user_type, id: body.user_id },
  ignoreRequesterPresence: body.ignore_requester_presence ?? false,
});

export const userActions: Action<OrganizationScope>[] = [
  action<OrganizationScope>()(contract.addUserToChat, async ({ body, scope }) => {
    await addUser(scope, { ...readChange(body), visibility: body.visibility ?? 'all' });
    return {};
  }),
  action<OrganizationScope>()(contract.removeUserFromChat, async ({ body, scope }) => {
    await removeUser(scope, readChange(body));
    return {};
  }),
];
