import { Button, Code, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { revealApiKey } from '#contracts/agent/api-key.ts';
import { resetApiKey } from '#contracts/chat-ops/agents.ts';
import { call, callRest } from '../../api/call.ts';
import { useSession } from '../../api/session.ts';
import { ConfirmButton } from '../../design/confirm-button.tsx';
import { CopyTextButton } from '../../design/copy-text-button.tsx';
import { AskPassword } from '../../editing/ask-password.tsx';
import { SectionCard } from './section-card.tsx';
import { t } from './t.ts';

/** The key is only in memory while it is shown, and every display needs the password. */
export const ApiKey = () => {
  const { login, two_factor: twoFactor } = useSession();
  const [isAsking, setAsking] = useState(false);
  const [apiKey, setApiKey] = useState<string>();
  const reveal = async (current_password: string, code?: string): Promise<void> => {
    const { api_key } = await call(revealApiKey, { body: { current_password, code } });
    setApiKey(api_key);
    setAsking(false);
  };

  const show = () => {
    if (apiKey !== undefined)
      return (
        <>
          <Text size="sm">{t('copyTheKeyNow')}</Text>
          <Code block mt="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }} data-testid="api-key">
            {apiKey}
          </Code>
          <Group mt="sm" gap="xs">
            <CopyTextButton value={apiKey} />
            <Button variant="default" onClick={() => setApiKey(undefined)}>
              {t('hide')}
            </Button>
          </Group>
        </>
      );
    if (isAsking)
      return (
        <AskPassword
          label={t('showKey')}
          onPassword={reveal}
          onCancel={() => setAsking(false)}
          withCode={twoFactor.enabled}
        />
      );
    return (
      <Group gap="xs">
        <Button variant="default" onClick={() => setAsking(true)}>
          {t('showKey')}
        </Button>
        <ConfirmButton
          label={t('resetKey')}
          question={t('resetAPIKey')}
          onConfirm={() => callRest(resetApiKey, { params: { login } })}
          notice={t('yourPreviousKeyHasBeen')}
        >
          {t('theOldKeyStopsWorking')}
        </ConfirmButton>
      </Group>
    );
  };

  return (
    <SectionCard title={t('apiKey')} about={t('appsThatUseThisKey')}>
      {show()}
    </SectionCard>
  );
};
