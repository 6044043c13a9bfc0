import { Badge } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { listSessions, revokeOtherSessions, revokeSession } from '#contracts/agent/sessions.ts';
import { call } from '../../api/call.ts';
import { ConfirmButton } from '../../design/confirm-button.tsx';
import { sayDone } from '../../design/notices.ts';
import { Loaded } from '../../design/states.tsx';
import { formatTime, TimeAgo } from '../../design/time-ago.tsx';
import { Row, RowList } from '../../editing/row-list.tsx';
import { SectionCard } from './section-card.tsx';

const sessionsKey = ['sessions'] as const;

export const Sessions = () => {
  const client = useQueryClient();
  const query = useQuery({ queryKey: sessionsKey, queryFn: () => call(listSessions, { query: {}, body: {} }) });
  const refresh = () => client.invalidateQueries({ queryKey: sessionsKey });
  const revoke = async (id: string): Promise<void> => {
    await call(revokeSession, { query: {}, body: { id } });
    await refresh();
    sayDone('That browser is signed out.');
  };
  const revokeOthers = async (): Promise<void> => {
    const { revoked } = await call(revokeOtherSessions, { query: {}, body: {} });
    await refresh();
    sayDone(revoked === 1 ? 'One browser is signed out.' : `${revoked} browsers are signed out.`);
  };
  return (
    <SectionCard title="Where you are signed in">
      <Loaded query={query}>
        {(sessions) => (
          <>
            <RowList label="Sessions">
              {sessions.map(({ id, current, browser, user_agent, ip, created_at, last_used_at }) => (
                <Row
                  key={id}
                  title={browser || 'Some browser'}
                  detail={
                    <>
                      {browser === '' && user_agent && `${user_agent} · `}
                      {ip} · since {formatTime(created_at)} · used <TimeAgo at={last_used_at} />
                    </>
                  }
                  aside={
                    current ? (
                      <Badge variant="light" tt="none">
                        This browser
                      </Badge>
                    ) : (
                      <ConfirmButton
                        size="xs"
                        label="Sign out"
                        question={`Sign ${browser || 'this browser'} out?`}
                        confirmLabel="Sign it out"
                        onConfirm={() => revoke(id)}
                      >
                        It is out at once, in every tab.
                      </ConfirmButton>
                    )
                  }
                />
              ))}
            </RowList>
            {sessions.length > 1 && (
              <ConfirmButton
                mt="sm"
                label="Sign out everywhere else"
                question="Sign all other browsers out?"
                confirmLabel="Sign them out"
                onConfirm={revokeOthers}
              />
            )}
          </>
        )}
      </Loaded>
    </SectionCard>
  );
};
