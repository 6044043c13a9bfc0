import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { confirmTwoFactor, type setUpTwoFactor } from '#contracts/agent/two-factor.ts';
import type { ResponseOf } from '#contracts/operation.ts';
import { call } from '../../api/call.ts';
import { Form } from '../../design/form.tsx';
import { useSubmit } from '../../editing/use-submit.ts';
import { QrCode } from './qr-code.tsx';
import { t } from './t.ts';

interface ConfirmDeviceProps {
  setup: ResponseOf<typeof setUpTwoFactor>;
  onConfirmed(recoveryCodes: string[]): unknown;
  onCancel(): void;
}

/** Groups of four are easier to copy. */
const inFours = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ');

/** Two-step verification is enabled only after a valid code from the app. */
export const ConfirmDevice = ({ setup, onConfirmed, onCancel }: ConfirmDeviceProps) => {
  const [code, setCode] = useState('');
  const digits = code.replaceAll(' ', '');
  const { submit, isBusy, failure } = useSubmit(async () => {
    const { recovery_codes } = await call(confirmTwoFactor, { body: { code: digits } });
    await onConfirmed(recovery_codes);
  });
  return (
    <Form noValidate onSubmit={() => submit()}>
      <Group align="flex-start" gap="lg">
        <QrCode text={setup.uri} label={t('qrCodeForYourAuthenticator')} />
        <Stack gap="sm" style={{ flex: '1 1 18rem' }} maw={420}>
          <Text size="sm">{t('scanThisWithAnAuthenticator')}</Text>
          <Code block data-testid="two-factor-secret" style={{ whiteSpace: 'pre-wrap' }}>
            {inFours(setup.secret)}
          </Code>
          <TextInput
            label={t('authenticatorCode')}
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
            value={code}
            onChange={({ currentTarget }) => setCode(currentTarget.value)}
            error={failure}
          />
          <Group gap="xs">
            <Button type="submit" loading={isBusy} disabled={digits.length < 6}>
              {t('turnOn')}
            </Button>
            <Button variant="subtle" onClick={onCancel}>
              {t('cancel')}
            </Button>
          </Group>
        </Stack>
      </Group>
    </Form>
  );
};
