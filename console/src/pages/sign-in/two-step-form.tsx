import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { signInWithCode } from '#contracts/oauth/index.ts';
import { call } from '../../api/call.ts';
import { enterConsole } from './enter-console.ts';
import { SignInCard } from './sign-in-card.tsx';
import { SignInForm, useSignInAction } from './sign-in-form.tsx';
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
  const entering = useSignInAction(async () => {
    await call(signInWithCode, { body: { ticket, code: code.trim() } });
    await enterConsole(back);
  }, t('invalidOrUsedCode'));
  return (
    <SignInCard
      title={t('twoStepVerification')}
      about={isRecovery ? t('enterOneOfYourSaved') : t('enterTheSixDigitCode')}
    >
      <SignInForm
        action={entering}
        submitLabel={t('continue')}
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
      </SignInForm>
    </SignInCard>
  );
};
