import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { inviteCustomer } from '#contracts/agent/customers.ts';
import { type Greeting, listGreetings } from '#contracts/chat-ops/greetings.ts';
import { call, callRest } from '../../api/call.ts';
import { keys, refetch } from '../../api/queries.ts';
import { Dimmed } from '../../design/dimmed.tsx';
import { notifySuccess } from '../../design/notices.ts';
import { useAction } from '../../design/use-action.ts';
import { t } from './t.ts';

const textOf = ({ properties }: Greeting): string => properties['greeting-message_text'];

/** Greetings without text cannot be sent. */
const hasText = (greeting: Greeting): boolean => textOf(greeting) !== '';

/** Sends a greeting to the visitor in the agent's name. */
export const InviteMenu = ({ visitorId }: { visitorId: string }) => {
  const [isOpen, { open, close }] = useDisclosure(false);
  const { data: greetings = [], isPending } = useQuery({
    queryKey: ['greetings', 'all'],
    queryFn: () => callRest(listGreetings, {}),
    enabled: isOpen,
  });
  const inviting = useAction(async (greeting_id: number) => {
    await call(inviteCustomer, { body: { id: visitorId, greeting_id } });
    notifySuccess(t('greetingSent'));
    void refetch(keys.visitors);
  });
  const usable = greetings.filter(hasText);
  return (
    <Menu opened={isOpen} onOpen={open} onClose={close} position="bottom-start" width={260} withinPortal>
      <Menu.Target>
        <Button size="xs" variant="default" loading={inviting.isPending}>
          {t('sendGreeting')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {usable.length === 0 && <Menu.Label>{isPending ? t('loading') : t('noGreetingsYet')}</Menu.Label>}
        {usable.map((greeting) => (
          <Menu.Item key={greeting.id} onClick={() => inviting.mutate(greeting.id)}>
            {greeting.name}
            <Dimmed size="xs" lineClamp={2}>
              {textOf(greeting)}
            </Dimmed>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};
