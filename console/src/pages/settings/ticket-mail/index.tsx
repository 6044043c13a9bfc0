import { Code, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getTicketMail, setTicketMail } from '#contracts/agent/tickets.ts';
import type { ResponseOf } from '#contracts/operation.ts';
import { call } from '../../../api/call.ts';
import { Dimmed } from '../../../design/dimmed.tsx';
import { Loaded } from '../../../design/states.tsx';
import { EditForm } from '../../../editing/edit-form.tsx';
import { useEditing } from '../../../editing/use-editing.ts';
import { richText } from '../../../i18n/rich-text.tsx';
import { SectionPage } from '../section-page.tsx';
import { t } from '../t.ts';

type MailSettings = ResponseOf<typeof getTicketMail>;

const mailKey = ['ticket-mail'] as const;

const MailForm = ({ numbered_address, own_address = '' }: MailSettings) => {
  const editing = useEditing({
    saved: { own_address },
    save: (draft) => call(setTicketMail, { query: {}, body: { own_address: draft.own_address.trim() || null } }),
    refetch: [mailKey],
  });
  return (
    <EditForm editing={editing}>
      <Stack gap="md" maw={560}>
        <div>
          <Text size="sm" fw={600}>
            {t('yourTicketAddress')}
          </Text>
          {numbered_address ? (
            <Text size="sm">
              {richText(t, 'emailsSentToAddressBecome', { address: <Code>{numbered_address}</Code> })}
            </Text>
          ) : (
            <Dimmed>{t('inboundEmailIsntConfiguredOn')}</Dimmed>
          )}
        </div>
        <TextInput
          type="email"
          label={t('yourOwnEmailAddress')}
          description={t('forwardMailFromThisAddress')}
          placeholder="support@your-shop.example"
          {...editing.text('own_address')}
        />
      </Stack>
    </EditForm>
  );
};

export const TicketMailSection = () => {
  const query = useQuery({ queryKey: mailKey, queryFn: () => call(getTicketMail, { query: {}, body: {} }) });
  return (
    <SectionPage of="ticket-mail">
      <Loaded query={query}>{(settings) => <MailForm {...settings} />}</Loaded>
    </SectionPage>
  );
};
