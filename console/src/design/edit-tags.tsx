import { TagsInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { describeError } from '../api/errors.ts';
import { t } from '../i18n/t.ts';
import { useTagNames } from './choices.tsx';
import { notifyError } from './notices.ts';

interface EditTagsProps {
  tags: string[];
  /** Resolves when the tags are saved. */
  onChange(tags: string[]): Promise<unknown>;
}

/** Tags that are saved on every change. */
export const EditTags = ({ tags, onChange }: EditTagsProps) => {
  const saving = useMutation({ mutationFn: onChange, onError: (error) => notifyError(describeError(error)) });
  return (
    <TagsInput
      label={t('tags')}
      value={saving.isPending ? saving.variables : tags}
      data={useTagNames()}
      maxTags={100}
      maxLength={128}
      placeholder={tags.length === 0 ? t('addTag') : undefined}
      onChange={(next) => saving.mutate(next)}
    />
  );
};
