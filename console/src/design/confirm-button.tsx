import { Button, type ButtonProps, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { describeError } from '../api/errors.ts';
import { t } from '../i18n/t.ts';

interface ConfirmButtonProps extends ButtonProps {
  /** Title of the dialog. */
  question: string;
  /** Consequences, in the body of the dialog. */
  children?: ReactNode;
  /** Label of the button that opens the dialog. */
  label: ReactNode;
  confirmLabel: string;
  onConfirm(): unknown;
}

/** A button that asks for confirmation. The dialog stays open with the reason if the action fails. */
export const ConfirmButton = ({
  question,
  children,
  label,
  confirmLabel,
  onConfirm,
  ...button
}: ConfirmButtonProps) => {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  const confirm = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await onConfirm();
      close();
    } catch (error) {
      setFailure(describeError(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <Button variant="default" {...button} onClick={open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={question} centered>
        <Stack>
          {children && <Text size="sm">{children}</Text>}
          {failure && (
            <Text size="sm" c="var(--danger)" role="alert">
              {failure}
            </Text>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t('cancel')}
            </Button>
            <Button color="red.9" loading={isBusy} onClick={() => void confirm()} data-autofocus>
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
};
