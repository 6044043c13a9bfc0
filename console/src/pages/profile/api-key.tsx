import { Button, Code, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getAgent, resetApiKey } from '#contracts/chat-ops/agents.ts';
import { callRest } from '../../api/call.ts';
import { queryClient } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { ConfirmButton } from '../../design/confirm-button.tsx';
import { CopyTextButton } from '../../design/copy-text-button.tsx';
import { Dimmed } from '../../design/dimmed.tsx';
import { Loaded } from '../../design/states.tsx';
import { SectionCard } from './section-card.tsx';
import { t } from './t.ts';

const keyOfOwn = ['own-api-key'] as const;

const HIDDEN = '•'.repeat(24);

export const ApiKey = () => {
  const { login } = useSession();
  const [isShown, setShown] = useState(false);
  const query = useQuery({
    queryKey: keyOfOwn,
    queryFn: () => callRest(getAgent, { params: { login }, query: {} }),
    gcTime: 0,
  });
  const renew = async (): Promise<void> => {
    queryClient.setQueryData(keyOfOwn, await callRest(resetApiKey, { params: { login } }));
  };
  return (
    <SectionCard title={t('apiKey')} about={t('appsThatUseThisKey')}>
      <Loaded query={query}>
        {({ api_key: apiKey = '' }) =>
          apiKey === '' ? (
            <Dimmed>{t('theKeyCantBeShown')}</Dimmed>
          ) : (
            <>
              <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }} data-testid="api-key">
                {isShown ? apiKey : HIDDEN}
              </Code>
              <Group mt="sm" gap="xs">
                <Button variant="default" onClick={() => setShown(!isShown)}>
                  {isShown ? t('hide') : t('show')}
                </Button>
                <CopyTextButton value={apiKey} />
                <ConfirmButton
                  label={t('resetKey')}
                  question={t('resetAPIKey')}
                  onConfirm={renew}
                  notice={t('yourPreviousKeyHasBeen')}
                >
                  {t('theOldKeyStopsWorking')}
                </ConfirmButton>
              </Group>
            </>
          )
        }
      </Loaded>
    </SectionCard>
  );
};
