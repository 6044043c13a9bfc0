import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listOauthGrants, revokeOauthGrant } from '#contracts/configuration/oauth.ts';
import { call } from '../../../api/call.ts';
import { useAgentName } from '../../../api/people.ts';
import { ConfirmButton } from '../../../design/confirm-button.tsx';
import { formatTime } from '../../../design/time-ago.tsx';
import { QueryRows, Row } from '../../../editing/row-list.tsx';
import { t } from '../t.ts';
import { describeScopes } from './scopes.ts';

export const grantsKey = ['oauth-grants'] as const;

/** The agent's own grants; administrators see all. */
export const Grants = () => {
  const agentName = useAgentName();
  const grants = useQuery({ queryKey: grantsKey, queryFn: () => call(listOauthGrants, { body: {} }) });
  return (
    <QueryRows label={t('authorizedApps')} query={grants} empty={<Text size="sm">{t('noAuthorizedApps')}</Text>}>
      {({ id, client_name, agent_id, scopes, granted_at }) => (
        <Row
          key={id}
          title={t('appForAgent', { app: client_name, agent: agentName(agent_id) })}
          detail={`${describeScopes(scopes)} · ${t('sinceTime', { time: formatTime(granted_at) })}`}
          aside={
            <ConfirmButton
              size="xs"
              label={t('revoke')}
              question={t('revokeAppsAccessForAgent', { app: client_name, agent: agentName(agent_id) })}
              onConfirm={() => call(revokeOauthGrant, { body: { id } })}
              refetch={[grantsKey]}
              notice={t('accessRevoked')}
            >
              {t('theAppsTokensForThis')}
            </ConfirmButton>
          }
        />
      )}
    </QueryRows>
  );
};
