import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listSessions, revokeOtherSessions, revokeSession } from '#contracts/agent/sessions.ts';
import { call } from '../../api/call.ts';
import { ConfirmButton } from '../../design/confirm-button.tsx';
import { notifySuccess } from '../../design/notices.ts';
import { Loaded } from '../../design/states.tsx';
import { formatTime, TimeAgo } from '../../design/time-ago.tsx';
import { Row, RowList } from '../../editing/row-list.tsx';
import { richText } from '../../i18n/rich-text.tsx';
import { SectionCard } from './section-card.tsx';
import { t } from './t.ts';

const sessionsKey = ['sessions'] as const;

const revokeOthers = async (): Promise<void> => {
  const { revoked } = await call(revokeOtherSessions, { body: {} });
  notifySuccess(t('sessionsRevoked', { count: revoked }));
};

export const Sessions = () => {
  const query = useQuery({ queryKey: sessionsKey, queryFn: () => call(listSessions, { body: {} }) });
  return (
    <SectionCard title={t('activeSessions')}>
      <Loaded query={query}>
        {(sessions) => (
          <>
            <RowList label={t('sessions')}>
              {sessions.map(({ id, current, browser, user_agent, ip, created_at, last_used_at }) => (
                <Row
                  key={id}
                  title={browser || t('unknownBrowser')}
                  detail={
                    <>
                      {browser === '' && user_agent && `${user_agent} · `}
                      {richText(t, 'ipSignedInTimeLast', {
                        ip,
                        time: formatTime(created_at),
                        ago: <TimeAgo at={last_used_at} />,
                      })}
                    </>
                  }
                  aside={
                    current ? (
                      <Badge variant="light">{t('thisBrowser')}</Badge>
                    ) : (
                      <ConfirmButton
                        size="xs"
                        label={t('signOut')}
                        question={t('signOutOfBrowser', { browser: browser || t('sentence.thisBrowser') })}
                        onConfirm={() => call(revokeSession, { body: { id } })}
                        refetch={[sessionsKey]}
                        notice={t('sessionSignedOut')}
                      >
                        {t('thatSessionEndsImmediatelyIn')}
                      </ConfirmButton>
                    )
                  }
                />
              ))}
            </RowList>
            {sessions.length > 1 && (
              <ConfirmButton
                mt="sm"
                label={t('signOutOfAllOther')}
                question={t('signOutOfAllOtherSessions')}
                confirmLabel={t('signOut')}
                onConfirm={revokeOthers}
                refetch={[sessionsKey]}
              />
            )}
          </>
        )}
      </Loaded>
    </SectionCard>
  );
};
