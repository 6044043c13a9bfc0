import { Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { listOauthGrants, revokeOauthGrant } from '#contracts/configuration/oauth.ts';
import { call } from '../../../api/call.ts';
import { useAgentName } from '../../../api/people.ts';
import { ConfirmButton } from '../../../design/confirm-button.tsx';
import { notifySuccess } from '../../../design/notices.ts';
import { Loaded } from '../../../design/states.tsx';
import { formatTime } from '../../../design/time-ago.tsx';
import { Row, RowList } from '../../../editing/row-list.tsx';
import { t } from '../t.ts';
import { describeScopes } from './scopes.ts';

export const grantsKey = ['oauth-grants'] as const;

/** The agent's own grants; administrators see all. */
export const Grants = () => {
  const client = useQueryClient();
  const agentName = useAgentName();
  const grants = useQuery({ queryKey: grantsKey, queryFn: () => call(listOauthGrants, { query: {}, body: {} }) });
  const revoke = async (id: string): Promise<void> => {
    await call(revokeOauthGrant, { query: {}, body: { id } });
    await client.invalidateQueries({ queryKey: grantsKey });
    notifySuccess(t('accessRevoked'));
  };
  return (
    <Loaded query={grants} empty={<Text size="sm">{t('noAuthorizedApps')}</Text>}>
      {(all) => (
        <RowList label={t('authorizedApps')}>
          {all.map(({ id, client_name, agent_id, scopes, granted_at }) => (
            <Row
              key={id}
              title={t('appForAgent', { app: client_name, agent: agentName(agent_id) })}
              detail={`${describeScopes(scopes)} · ${t('sinceTime', { time: formatTime(granted_at) })}`}
              aside={
                <ConfirmButton
                  size="xs"
                  label={t('revoke')}
                  question={t('revokeAccessOfAppFor', { app: client_name, agent: agentName(agent_id) })}
                  confirmLabel={t('revoke')}
                  onConfirm={() => revoke(id)}
                >
                  {t('theAppsTokensForThis')}
                </ConfirmButton>
              }
            />
          ))}
        </RowList>
      )}
    </Loaded>
  );
};
