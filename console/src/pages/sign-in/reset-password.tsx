import { Checkbox, PasswordInput, Text } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { resetPassword } from '#contracts/oauth/index.ts';
import { call } from '../../api/call.ts';
import { SignInCard } from './sign-in-card.tsx';
import { SignInForm, useSignInAction } from './sign-in-form.tsx';
import { t } from './t.ts';

const MIN_PASSWORD_LENGTH = 8;

export const ResetPasswordPage = () => {
  const { token } = useSearch({ from: '/reset-password' });
  const [password, setPassword] = useState('');
  const [shouldResetKey, setShouldResetKey] = useState(false);
  const changing = useSignInAction(
    () => call(resetPassword, { body: { token: token ?? '', password, reset_api_key: shouldResetKey } }),
    t('thisLinkHasExpiredOr'),
  );
  if (!token) {
    return (
      <SignInCard title={t('incompleteLink')} about={t('openTheLinkFromThe')}>
        <Link to="/forgotten-password">{t('requestANewLink')}</Link>
      </SignInCard>
    );
  }
  if (changing.isDone) {
    return (
      <SignInCard title={t('passwordChanged')}>
        <Text size="sm" role="status">
          {t('youveBeenSignedOutEverywhere')}
        </Text>
        <Link to="/sign-in" search={{}}>
          {t('signIn')}
        </Link>
      </SignInCard>
    );
  }
  return (
    <SignInCard title={t('setAPassword')} about={t('atLeastMinCharactersLonger', { min: MIN_PASSWORD_LENGTH })}>
      <SignInForm
        action={changing}
        submitLabel={t('changePassword')}
        footer={<Link to="/forgotten-password">{t('requestANewLink')}</Link>}
      >
        <PasswordInput
          label={t('newPassword')}
          autoComplete="new-password"
          required
          withAsterisk={false}
          minLength={MIN_PASSWORD_LENGTH}
          value={password}
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Checkbox
          mt="md"
          label={t('alsoResetMyAPIKey')}
          description={t('appsThatUseTheOld')}
          checked={shouldResetKey}
          onChange={(event) => setShouldResetKey(event.currentTarget.checked)}
        />
      </SignInForm>
    </SignInCard>
  );
};
