import { Button, FileButton, Group, Pill, SegmentedControl, Textarea } from '@mantine/core';
import { useState } from 'react';
import { addTicketNote, replyToTicket, type Ticket } from '#contracts/agent/tickets.ts';
import { call } from '../../api/call.ts';
import { upload } from '../../api/upload.ts';
import { Dimmed } from '../../design/dimmed.tsx';
import { Form } from '../../design/form.tsx';
import { useAction } from '../../design/use-action.ts';
import { STATUS_NAMES, STATUSES, type Status } from './filters.ts';
import { t } from './t.ts';
import classes from './ticket.module.css';
import { useTicketChange } from './use-tickets.ts';

type Kind = 'reply' | 'note';

interface Draft {
  kind: Kind;
  message: string;
  files: { name: string; url: string }[];
  status: Status;
}

const send = ({ id }: Ticket, { kind, message, files, status }: Draft) => {
  const body = { ticket_id: id, message, files: files.map(({ url }) => url) };
  return kind === 'note' ? call(addTicketNote, { body }) : call(replyToTicket, { body: { ...body, status } });
};

const KINDS = [
  { value: 'reply', label: t('emailReply') },
  { value: 'note', label: t('privateNote') },
];

/** Default status after a reply: waiting for the requester. */
const STATUS_AFTER: Status = 'pending';

export const ReplyBox = ({ ticket }: { ticket: Ticket }) => {
  const empty: Draft = { kind: 'reply', message: '', files: [], status: STATUS_AFTER };
  const [draft, setDraft] = useState(empty);
  const patch = (part: Partial<Draft>): void => setDraft((old) => ({ ...old, ...part }));
  const sending = useTicketChange(() => send(ticket, draft));
  const attaching = useAction(async (files: File[]) => {
    for (const file of files) {
      const url = await upload(file);
      setDraft((old) => ({ ...old, files: [...old.files, { name: file.name, url }] }));
    }
  });
  const isNote = draft.kind === 'note';
  const cannotSend = draft.message.trim() === '' || attaching.isPending;
  const submit = (): void => {
    if (cannotSend || sending.isPending) return;
    // The message appears above; a notification would cover the button.
    sending.mutate(undefined, { onSuccess: () => setDraft({ ...empty, kind: draft.kind }) });
  };
  return (
    <Form className={classes.reply} onSubmit={submit}>
      <Group justify="space-between" mb="xs" gap="xs">
        <SegmentedControl
          aria-label={t('messageType')}
          size="xs"
          data={KINDS}
          value={draft.kind}
          onChange={(kind) => patch({ kind: kind as Kind })}
        />
        <Dimmed size="xs" truncate>
          {isNote ? t('onlyAgentsCanSeeThis') : t('toEmail', { email: ticket.requester.mail })}
        </Dimmed>
      </Group>
      <Textarea
        aria-label={isNote ? t('privateNote') : t('reply')}
        placeholder={isNote ? t('writeANoteForYour') : t('writeAReply')}
        autosize
        minRows={3}
        maxRows={10}
        maxLength={200_000}
        value={draft.message}
        onChange={({ currentTarget }) => patch({ message: currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
        }}
      />
      {draft.files.length > 0 && (
        <Group gap={4} mt={6}>
          {draft.files.map(({ name, url }) => (
            <Pill
              key={url}
              withRemoveButton
              removeButtonProps={{ 'aria-label': t('removeName', { name }), tabIndex: 0, 'aria-hidden': false }}
              onRemove={() => patch({ files: draft.files.filter((file) => file.url !== url) })}
            >
              {name}
            </Pill>
          ))}
        </Group>
      )}
      <Group justify="space-between" mt="xs" gap="xs">
        <FileButton multiple onChange={(files) => attaching.mutate(files)}>
          {(props) => (
            <Button {...props} variant="default" size="sm" loading={attaching.isPending}>
              {t('attach')}
            </Button>
          )}
        </FileButton>
        <Group gap="xs">
          {!isNote && (
            <label className={classes.after}>
              <span>{t('sendAndSetAs')}</span>
              <select
                value={draft.status}
                onChange={({ currentTarget }) => patch({ status: currentTarget.value as Status })}
              >
                {STATUSES.map((status) => (
                  <option key={status} value={status}>
                    {STATUS_NAMES[status]}
                  </option>
                ))}
              </select>
            </label>
          )}
          <Button type="submit" loading={sending.isPending} disabled={cannotSend}>
            {isNote ? t('addNote') : t('sendReply')}
          </Button>
        </Group>
      </Group>
    </Form>
  );
};
