import { Button, FileButton, Group, TextInput } from '@mantine/core';
import type { ComponentProps } from 'react';
import { upload } from '../../../api/upload.ts';
import { useSubmit } from '../../../editing/use-submit.ts';
import { t } from '../t.ts';

interface LogoFieldProps extends Pick<ComponentProps<typeof TextInput>, 'value' | 'onChange' | 'error'> {
  onUploaded(url: string): void;
}

export const LogoField = ({ onUploaded, error, ...input }: LogoFieldProps) => {
  const { submit, isBusy, failure } = useSubmit(async (file: File) => onUploaded(await upload(file)));
  return (
    <Group align="flex-start" gap="xs" wrap="nowrap">
      <TextInput
        label={t('logo')}
        description={t('imageURLOrUploadAn')}
        placeholder="https://"
        style={{ flex: 1 }}
        {...input}
        error={failure ?? error}
      />
      <FileButton accept="image/png,image/jpeg,image/gif,image/webp" onChange={(file) => file && submit(file)}>
        {(props) => (
          <Button {...props} variant="default" mt={43} loading={isBusy}>
            {t('upload')}
          </Button>
        )}
      </FileButton>
    </Group>
  );
};
