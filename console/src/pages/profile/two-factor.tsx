import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { renewRecoveryCodes, setUpTwoFactor, turnOffTwoFactor } from '#contracts/agent/two-factor.ts';
import type { ResponseOf } from '#contracts/operation.ts';
import { call } from '../../api/call.ts';
import { keys, refetch } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { notifySuccess } from '../../design/notices.ts';
import { AskPassword } from '../../editing/ask-password.tsx';
import { ConfirmDevice } from './confirm-device.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SectionCard } from './section-card.tsx';
import { t } from './t.ts';

type Setup = ResponseOf<typeof setUpTwoFactor>;

/** The current step; every change asks for the password first. */
type Step =
  | { at: 'rest' }
  | { at: 'setting up' | 'renewing' | 'turning off' }
  | { at: 'confirming'; setup: Setup }
  | { at: 'keeping'; codes: string[] };

const REST: Step = { at: 'rest' };

const LABELS = { 'setting up': t('continue'), renewing: t('createNewCodes'), 'turning off': t('turnOff') } as const;

export const TwoFactor = () => {
  const { two_factor: twoFactor } = useSession();
  const [step, setStep] = useState<Step>(REST);
  const refresh = () => refetch(keys.session, ['sessions']);
  const rest = () => setStep(REST);

  const withPassword = {
    'setting up': async (password: string) => {
      setStep({ at: 'confirming', setup: await call(setUpTwoFactor, { body: { password } }) });
    },
    renewing: async (password: string, code?: string) => {
      const { recovery_codes } = await call(renewRecoveryCodes, {
        body: { password, ...(code === undefined ? {} : { code }) },
      });
      setStep({ at: 'keeping', codes: recovery_codes });
      await refresh();
    },
    'turning off': async (password: string, code?: string) => {
      await call(turnOffTwoFactor, { body: { password, ...(code === undefined ? {} : { code }) } });
      setStep(REST);
      notifySuccess(t('twoStepVerificationIsOff'));
      await refresh();
    },
  };

  const show = () => {
    switch (step.at) {
      case 'keeping':
        return <RecoveryCodes codes={step.codes} onDone={rest} />;
      case 'confirming':
        return (
          <ConfirmDevice
            setup={step.setup}
            onCancel={rest}
            onConfirmed={async (codes) => {
              setStep({ at: 'keeping', codes });
              await refresh();
            }}
          />
        );
      case 'rest':
        return twoFactor.enabled ? (
          <>
            <Text size="sm">{t('twoFactorOn', { count: twoFactor.recovery_codes_left ?? 0 })}</Text>
            <Group mt="sm" gap="xs">
              <Button variant="default" onClick={() => setStep({ at: 'renewing' })}>
                {t('newRecoveryCodes')}
              </Button>
              <Button variant="default" onClick={() => setStep({ at: 'turning off' })}>
                {t('turnOff')}
              </Button>
            </Group>
          </>
        ) : (
          <Button onClick={() => setStep({ at: 'setting up' })}>{t('setUpTwoStepVerification')}</Button>
        );
      default:
        return (
          <AskPassword
            key={step.at}
            label={LABELS[step.at]}
            onPassword={withPassword[step.at]}
            onCancel={rest}
            withCode={twoFactor.enabled}
          />
        );
    }
  };

  return (
    <SectionCard title={t('twoStepVerification')} about={t('requireACodeFromYour')}>
      {show()}
    </SectionCard>
  );
};
