import { Button, Stack } from '@mantine/core';
import { ErrorText } from '../../design/form.tsx';
import { SignInCard } from './sign-in-card.tsx';
import { t } from './t.ts';

interface ChooseOrganizationProps {
  organizations: readonly { id: string; name: string }[];
  isBusy: boolean;
  failure: string | undefined;
  onChoose(organizationId: string): void;
  onRestart(): void;
}

/** Shown if the password fits in several organizations. */
export const ChooseOrganization = ({
  organizations,
  isBusy,
  failure,
  onChoose,
  onRestart,
}: ChooseOrganizationProps) => (
  <SignInCard title={t('chooseAnOrganization')} about={t('youHaveAccountsInSeveral')}>
    <Stack gap="xs">
      {organizations.map(({ id, name }) => (
        <Button key={id} variant="default" fullWidth disabled={isBusy} onClick={() => onChoose(id)}>
          {name}
        </Button>
      ))}
    </Stack>
    <ErrorText role="alert">{failure}</ErrorText>
    <Button variant="subtle" size="compact-sm" color="gray" onClick={onRestart}>
      {t('backToSignIn')}
    </Button>
  </SignInCard>
);
