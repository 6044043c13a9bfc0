import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type QueryKey, useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { describeError } from '../api/errors.ts';
import { refetch as refetchQueries } from '../api/queries.ts';
import { t } from '../i18n/t.ts';
import { ErrorText } from './form.tsx';
import { notifySuccess } from './notices.ts';

interface ConfirmButtonProps extends ButtonProps {
  /** Title of the dialog. */
  question: string;
  /** Consequences, in the body of the dialog. */
  children?: ReactNode;
  /** Label of the button that opens the dialog. */
  label: string;
  /** The same as `label` by default. */
  confirmLabel?: string;
  /** Red by default, as most confirmed actions delete something. */
  confirmColor?: string;
  onConfirm(): unknown;
  /** Queries to fetch again after the action. */
  refetch?: QueryKey[];
  /** Shown after the action. */
  notice?: string;
}

/** A button that asks for confirmation. The dialog stays open with the reason if the action fails. */
export const ConfirmButton = ({
  question,
  children,
  label,
  confirmLabel = label,
  confirmColor = 'red.9',
  onConfirm,
  refetch = [],
  notice,
  ...button
}: ConfirmButtonProps) => {
  const [isOpen, { open, close }] = useDisclosure(false);
  const confirming = useMutation({
    mutationFn: async () => {
      await onConfirm();
      await refetchQueries(...refetch);
    },
    onSuccess: () => {
      close();
      if (notice) notifySuccess(notice);
    },
    onError: () => {},
  });
  return (
    <>
      <Button variant="default" {...button} onClick={open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={question} centered>
        <Stack>
          {children && <Text size="sm">{children}</Text>}
          <ErrorText role="alert">{confirming.error && describeError(confirming.error)}</ErrorText>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('cancel')}
            </Button>
            <Button
              color={confirmColor}
              loading={confirming.isPending}
              onClick={() => confirming.mutate()}
              data-autofocus
            >
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
};
