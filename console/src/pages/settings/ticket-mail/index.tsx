import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { confirmTicketMail, getTicketMail, setTicketMail } from '#contracts/agent/tickets.ts';
import type { ResponseOf } from '#contracts/operation.ts';
import { call } from '../../../api/call.ts';
import { refetch } from '../../../api/queries.ts';
import { Dimmed } from '../../../design/dimmed.tsx';
import { Form } from '../../../design/form.tsx';
import { notifySuccess } from '../../../design/notices.ts';
import { Loaded } from '../../../design/states.tsx';
import { useAction } from '../../../design/use-action.ts';
import { EditForm } from '../../../editing/edit-form.tsx';
import { useEditing } from '../../../editing/use-editing.ts';
import { useSubmit } from '../../../editing/use-submit.ts';
import { richText } from '../../../i18n/rich-text.tsx';
import { SectionPage } from '../section-page.tsx';
import { t } from '../t.ts';

type MailSettings = ResponseOf<typeof getTicketMail>;

const mailKey = ['ticket-mail'] as const;

const ConfirmAddress = ({ address }: { address: string }) => {
  const [code, setCode] = useState('');
  const { submit, isBusy, failure } = useSubmit(async () => {
    await call(confirmTicketMail, { body: { code: code.trim() } });
    await refetch(mailKey);
    notifySuccess(t('addressConfirmed'));
  });
  const sending = useAction(
    () => call(setTicketMail, { body: { own_address: address } }),
    () => notifySuccess(t('codeSent')),
  );
  return (
    <Form noValidate onSubmit={() => submit()}>
      <Stack gap="sm" maw={560} mt="lg">
        <Text size="sm">{richText(t, 'weveSentACodeTo', { address: <Code>{address}</Code> })}</Text>
        <TextInput
          label={t('confirmationCode')}
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
          error={failure}
        />
        <Group>
          <Button type="submit" loading={isBusy} disabled={code.trim() === ''}>
            {t('confirmAddress')}
          </Button>
          <Button variant="subtle" loading={sending.isPending} onClick={() => sending.mutate()}>
            {t('sendNewCode')}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
};

const MailForm = ({ numbered_address, own_address = '' }: MailSettings) => {
  const editing = useEditing({
    saved: { own_address },
    save: (draft) => call(setTicketMail, { body: { own_address: draft.own_address.trim() || null } }),
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
  const query = useQuery({ queryKey: mailKey, queryFn: () => call(getTicketMail, { body: {} }) });
  return (
    <SectionPage of="ticket-mail">
      <Loaded query={query}>
        {(settings) => (
          <>
            <MailForm {...settings} />
            {settings.unconfirmed_address && <ConfirmAddress address={settings.unconfirmed_address} />}
          </>
        )}
      </Loaded>
    </SectionPage>
  );
};
