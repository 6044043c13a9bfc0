import { useQuery } from '@tanstack/react-query';
import { getGroup } from '#contracts/chat-ops/groups.ts';
import { callRest } from '../../api/call.ts';
import { keys } from '../../api/queries.ts';
import { Page } from '../../design/page.tsx';
import { Loaded } from '../../design/states.tsx';
import { BackLink } from '../../editing/back-link.tsx';
import { GroupEditor, NEW_GROUP, useGroupRouting } from './group-editor.tsx';
import { t } from './t.ts';

const back = <BackLink to="/team/$" path="groups" label={t('groups')} />;

export const NewGroup = () => (
  <Page title={t('newGroup')} about={t('chatsOfAGroupAre')} actions={back}>
    <GroupEditor saved={NEW_GROUP} />
  </Page>
);

export const EditGroup = ({ id }: { id: number }) => {
  const query = useQuery({
    queryKey: [...keys.groups, id],
    queryFn: () => callRest(getGroup, { params: { group_id: id } }),
  });
  const routing = useGroupRouting(id);
  return (
    <Page title={query.data?.name ?? t('group')} actions={back}>
      <Loaded query={query}>
        {(group) => (
          <Loaded query={routing}>
            {({ fallback_group_id, bots_first }) => {
              const { name, language, agents = [] } = group;
              return (
                <GroupEditor key={id} group={group} saved={{ name, language, agents, fallback_group_id, bots_first }} />
              );
            }}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
};
