import { NumberInput, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createBot, deleteBot, type listBots, resetBotToken, updateBot } from '#contracts/configuration/bots.ts';
import type { ResponseOf } from '#contracts/operation.ts';
import { call } from '../../api/call.ts';
import { ConfirmButton } from '../../design/confirm-button.tsx';
import { EditForm } from '../../editing/edit-form.tsx';
import { collectErrors, required } from '../../editing/field-errors.ts';
import { ShowSecret } from '../../editing/show-secret.tsx';
import { useEditing } from '../../editing/use-editing.ts';
import { GroupsField } from './groups-field.tsx';
import { t } from './t.ts';

export type Bot = ResponseOf<typeof listBots>[number];

interface BotDraft {
  name: string;
  job_title: string;
  avatar: string;
  max_chats_count: number;
  groups: number[];
}

const NEW_BOT: BotDraft = { name: '', job_title: '', avatar: '', max_chats_count: 6, groups: [] };

const readBot = ({ name, job_title, avatar, max_chats_count, groups }: Bot): BotDraft => ({
  ...{ name, job_title, avatar, max_chats_count },
  groups: groups.map(({ id }) => id).filter((id) => id !== 0),
});

const writeBot = ({ name, job_title, avatar, max_chats_count, groups }: BotDraft) => ({
  ...{ name: name.trim(), job_title, avatar, max_chats_count },
  groups: groups.map((id) => ({ id })),
});

export const botsKey = ['bots'] as const;

export const BotEditor = ({ bot }: { bot?: Bot | undefined }) => {
  const navigate = useNavigate();
  const [token, setToken] = useState<string>();
  const editing = useEditing({
    saved: bot ? readBot(bot) : NEW_BOT,
    check: ({ name, max_chats_count: limit }) =>
      collectErrors({
        name: required(name),
        max_chats_count: !(Number.isInteger(limit) && limit >= 0 && limit <= 1000) && t('limitRange'),
      }),
    save: async (draft) => {
      if (bot) await call(updateBot, { body: { id: bot.id, ...writeBot(draft) } });
      else setToken((await call(createBot, { body: writeBot(draft) })).token);
    },
    refetch: [botsKey],
    notice: bot ? t('saved') : t('botCreated'),
  });
  const remove = async (id: string): Promise<void> => {
    await call(deleteBot, { body: { id } });
    editing.reset();
    await navigate({ to: '/team/$', params: { _splat: 'bots' } });
  };
  const renew = async (id: string): Promise<void> => {
    setToken((await call(resetBotToken, { body: { id } })).token);
  };
  const { draft, change, text, number, errorFor } = editing;
  if (token && !bot) return <ShowSecret label={t('botToken')} value={token} />;
  return (
    <EditForm
      editing={editing}
      isNew={!bot}
      saveLabel={bot ? t('save') : t('createBot')}
      aside={
        bot && (
          <>
            <ConfirmButton label={t('resetToken')} question={t('resetTheBotsToken')} onConfirm={() => renew(bot.id)}>
              {t('theCurrentTokenStopsWorking')}
            </ConfirmButton>
            <ConfirmButton
              label={t('deleteBot')}
              question={t('deleteName', { name: bot.name })}
              onConfirm={() => remove(bot.id)}
              refetch={[botsKey]}
              notice={t('botDeleted')}
            >
              {t('itsOngoingChatsAreReassigned')}
            </ConfirmButton>
          </>
        )
      }
    >
      <Stack gap="md" maw={560}>
        {token && <ShowSecret label={t('botToken')} value={token} />}
        <TextInput label={t('name')} description={t('visibleToCustomers')} required {...text('name')} />
        <TextInput label={t('jobTitle')} {...text('job_title')} />
        <TextInput label={t('pictureURL')} placeholder="https://" {...text('avatar')} />
        <GroupsField value={draft.groups} onChange={(groups) => change({ groups })} error={errorFor('groups')} />
        <NumberInput
          label={t('maxConcurrentChats')}
          min={0}
          max={1000}
          allowDecimal={false}
          {...number('max_chats_count')}
        />
      </Stack>
    </EditForm>
  );
};
