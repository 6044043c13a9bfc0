import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { signInWithCode } from '#contracts/oauth/index.ts';
import { call } from '../../api/call.ts';
import { describeSignInError, enterConsole } from './enter-console.ts';
import { SignInCard } from './sign-in-card.tsx';
import { Form } from './sign-in-form.tsx';
import { t } from './t.ts';

interface TwoStepFormProps {
  ticket: string;
  back: string | undefined;
  onRestart(): void;
}

/** The second step of signing in: a code from the authenticator app, or a recovery code. */
export const TwoStepForm = ({ ticket, back, onRestart }: TwoStepFormProps) => {
  const [code, setCode] = useState('');
  const [isRecovery, setRecovery] = useState(false);
  const entering = useMutation({
    mutationFn: async () => {
      await call(signInWithCode, { body: { ticket, code: code.trim() } });
      await enterConsole(back);
    },
    onError: () => {},
  });
  return (
    <SignInCard
      title={t('twoStepVerification')}
      about={isRecovery ? t('enterOneOfYourSaved') : t('enterTheSixDigitCode')}
    >
      <Form
        submitLabel={t('continue')}
        isBusy={entering.isPending}
        failure={entering.error ? describeSignInError(entering.error, t('invalidOrUsedCode')) : undefined}
        onSubmit={() => entering.mutate()}
        footer={
          <>
            <Button variant="subtle" size="compact-sm" onClick={() => setRecovery(!isRecovery)}>
              {isRecovery ? t('useAuthenticatorApp') : t('useARecoveryCode')}
            </Button>
            <Button variant="subtle" size="compact-sm" color="gray" onClick={onRestart}>
              {t('backToSignIn')}
            </Button>
          </>
        }
      >
        <TextInput
          key={String(isRecovery)}
          label={isRecovery ? t('recoveryCode') : t('code')}
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          autoFocus
        />
      </Form>
    </SignInCard>
  );
};
