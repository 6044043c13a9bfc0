import { TagsInput } from '@mantine/core';
import { t } from '../i18n/t.ts';
import { useTagNames } from './choices.tsx';
import { useAction } from './use-action.ts';

interface EditTagsProps {
  tags: string[];
  /** Resolves when the tags are saved. */
  onChange(tags: string[]): Promise<unknown>;
}

/** Tags that are saved on every change. */
export const EditTags = ({ tags, onChange }: EditTagsProps) => {
  const saving = useAction(onChange);
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
