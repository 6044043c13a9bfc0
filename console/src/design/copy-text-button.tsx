import { Button, type ButtonProps, CopyButton } from '@mantine/core';
import { t } from '../i18n/t.ts';

interface CopyTextButtonProps extends ButtonProps {
  value: string;
  label?: string;
}

export const CopyTextButton = ({ value, label = t('copy'), ...button }: CopyTextButtonProps) => (
  <CopyButton value={value}>
    {({ copied, copy }) => (
      <Button variant="default" onClick={copy} {...button}>
        {copied ? t('copied') : label}
      </Button>
    )}
  </CopyButton>
);
