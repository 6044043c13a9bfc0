import { Stack, TagsInput, Textarea } from '@mantine/core';
import {
  type CannedResponse,
  createCannedResponse,
  deleteCannedResponse,
  updateCannedResponse,
} from '#contracts/chat-ops/canned-responses.ts';
import { callRest } from '../../../api/call.ts';
import { ConfirmButton } from '../../../design/confirm-button.tsx';
import { EditForm } from '../../../editing/edit-form.tsx';
import { collectErrors, required } from '../../../editing/field-errors.ts';
import { useEditing } from '../../../editing/use-editing.ts';
import { GroupSelect } from '../group-select.tsx';
import { t } from '../t.ts';
import { useLeaveTo } from '../use-leave-to.ts';

interface Draft {
  text: string;
  tags: string[];
  group: number;
}

const saveResponse = ({ text, tags, group }: Draft, id: number | undefined): Promise<unknown> =>
  id === undefined
    ? callRest(createCannedResponse, { body: { text: text.trim(), tags, group } })
    : callRest(updateCannedResponse, { params: { canned_response_id: id }, body: { text: text.trim(), tags } });

export const CannedResponseEditor = ({ response }: { response?: CannedResponse | undefined }) => {
  const leave = useLeaveTo('canned-responses');
  const id = response?.id;
  const editing = useEditing<Draft>({
    saved: { text: response?.text ?? '', tags: response?.tags ?? [], group: response?.group ?? 0 },
    check: ({ text, tags }) =>
      collectErrors({ text: required(text), tags: tags.length === 0 && t('addAtLeastOneShortcut') }),
    save: (draft) => saveResponse(draft, id),
    refetch: [['canned-responses']],
    onSaved: leave,
  });
  const remove = async (canned_response_id: number): Promise<void> => {
    await callRest(deleteCannedResponse, { params: { canned_response_id } });
    editing.reset();
    await leave();
  };
  const { draft, change, text, errorFor } = editing;
  return (
    <EditForm
      editing={editing}
      isNew={id === undefined}
      aside={
        id !== undefined && (
          <ConfirmButton
            label={t('delete')}
            question={t('deleteThisCannedResponse')}
            onConfirm={() => remove(id)}
            refetch={[['canned-responses']]}
            notice={t('cannedResponseDeleted')}
          />
        )
      }
    >
      <Stack gap="md" maw={640}>
        <Textarea label={t('text')} required autosize minRows={4} maxRows={16} maxLength={16_384} {...text('text')} />
        <TagsInput
          label={t('shortcuts')}
          description={t('agentsTypeAndAShortcut')}
          required
          value={draft.tags}
          onChange={(tags) => change({ tags: tags.map((tag) => tag.replace(/^#+/, '')).filter(Boolean) })}
          error={errorFor('tags')}
          maxTags={100}
        />
        <GroupSelect
          value={draft.group}
          onGroup={(group) => change({ group })}
          disabled={id !== undefined}
          description={t('theResponseIsAvailableTo')}
        />
      </Stack>
    </EditForm>
  );
};
