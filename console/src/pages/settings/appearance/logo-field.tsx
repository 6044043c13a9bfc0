import { Button, FileButton, Group, TextInput } from '@mantine/core';
import { type ComponentProps, useState } from 'react';
import { upload } from '../../../api/upload.ts';
import { describeFormError } from '../../../editing/field-errors.ts';
import { t } from '../t.ts';

interface LogoFieldProps extends Pick<ComponentProps<typeof TextInput>, 'value' | 'onChange' | 'error'> {
  onUploaded(url: string): void;
}

export const LogoField = ({ onUploaded, error, ...input }: LogoFieldProps) => {
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const take = async (file: File | null): Promise<void> => {
    if (!file) return;
    setBusy(true);
    setFailure(undefined);
    try {
      onUploaded(await upload(file));
    } catch (reason) {
      setFailure(describeFormError(reason));
    } finally {
      setBusy(false);
    }
  };
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
      <FileButton accept="image/png,image/jpeg,image/gif,image/webp" onChange={(file) => void take(file)}>
        {(props) => (
          <Button {...props} variant="default" mt={43} loading={isBusy}>
            {t('upload')}
          </Button>
        )}
      </FileButton>
    </Group>
  );
};
