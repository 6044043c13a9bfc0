import { Button, Code, CopyButton, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getAgent, resetApiKey } from '#contracts/chat-ops/agents.ts';
import { callRest } from '../../api/call.ts';
import { useSession } from '../../api/session.ts';
import { ConfirmButton } from '../../design/confirm-button.tsx';
import { sayDone } from '../../design/notices.ts';
import { Loaded } from '../../design/states.tsx';
import { SectionCard } from './section-card.tsx';

const keyOfOwn = ['own-api-key'] as const;

const HIDDEN = '•'.repeat(24);

export const ApiKey = () => {
  const client = useQueryClient();
  const { login } = useSession();
  const [isShown, setShown] = useState(false);
  const query = useQuery({
    queryKey: keyOfOwn,
    queryFn: () => callRest(getAgent, { params: { login }, query: {} }),
    gcTime: 0,
  });
  const renew = async (): Promise<void> => {
    client.setQueryData(keyOfOwn, await callRest(resetApiKey, { params: { login } }));
    sayDone('The key before is void.');
  };
  return (
    <SectionCard
      title="API key"
      about="Programs that use it may do what you may. Whoever has it acts as you: show it to nobody."
    >
      <Loaded query={query}>
        {({ api_key: apiKey = '' }) =>
          apiKey === '' ? (
            <Text size="sm" c="dimmed">
              It cannot be shown here.
            </Text>
          ) : (
            <>
              <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }} data-testid="api-key">
                {isShown ? apiKey : HIDDEN}
              </Code>
              <Group mt="sm" gap="xs">
                <Button variant="default" onClick={() => setShown(!isShown)}>
                  {isShown ? 'Hide' : 'Show'}
                </Button>
                <CopyButton value={apiKey}>
                  {({ copied, copy }) => (
                    <Button variant="default" onClick={copy}>
                      {copied ? 'Copied' : 'Copy'}
                    </Button>
                  )}
                </CopyButton>
                <ConfirmButton
                  label="New key"
                  question="Make another key?"
                  confirmLabel="Make another key"
                  onConfirm={renew}
                >
                  The one you have is void at once; programs that use it are refused.
                </ConfirmButton>
              </Group>
            </>
          )
        }
      </Loaded>
    </SectionCard>
  );
};
