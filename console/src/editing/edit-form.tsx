import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ErrorText, Form } from '../design/form.tsx';
import { t } from '../i18n/t.ts';
import type { Editing } from './use-editing.ts';

/** Asks for confirmation before unsaved changes are lost, on navigation and on closing the tab. */
const LeaveGuard = ({ hasUnsaved }: { hasUnsaved(): boolean }) => {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && hasUnsaved(),
    enableBeforeUnload: hasUnsaved,
    withResolver: true,
  });
  return (
    <Modal opened={status === 'blocked'} onClose={() => reset?.()} title={t('leaveWithoutSaving')} centered>
      <Text size="sm">{t('yourChangesWillBeLost')}</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={() => reset?.()} data-autofocus>
          {t('keepEditing')}
        </Button>
        <Button color="red.9" onClick={() => proceed?.()}>
          {t('leave')}
        </Button>
      </Group>
    </Modal>
  );
};

interface EditFormProps<T> {
  editing: Editing<T>;
  saveLabel?: string;
  /** New items can be saved without changes. */
  isNew?: boolean;
  /** Next to the save button, for example a delete button. */
  aside?: ReactNode;
  children: ReactNode;
}

export const EditForm = <T,>({ editing, saveLabel = t('save'), isNew = false, aside, children }: EditFormProps<T>) => {
  const { isChanged, isSaving, failure, submit, reset, hasUnsaved } = editing;
  return (
    <Form noValidate onSubmit={submit}>
      <LeaveGuard hasUnsaved={hasUnsaved} />
      <Stack gap="md">
        {children}
        <ErrorText role="alert">{failure}</ErrorText>
        <Group justify="space-between">
          <Group gap="xs">
            <Button type="submit" loading={isSaving} disabled={!isNew && !isChanged}>
              {saveLabel}
            </Button>
            {isChanged && !isNew && (
              <Button variant="subtle" onClick={reset}>
                {t('discardChanges')}
              </Button>
            )}
          </Group>
          {aside}
        </Group>
      </Stack>
    </Form>
  );
};
