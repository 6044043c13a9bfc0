import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getGreeting, listGreetings } from '#contracts/chat-ops/greetings.ts';
import { callRest } from '../../../api/call.ts';
import { useGroupName } from '../../../api/people.ts';
import { Empty, Loaded } from '../../../design/states.tsx';
import { QueryRows, Row } from '../../../editing/row-list.tsx';
import { formatList } from '../../../i18n/language.ts';
import { EditorPage, SectionPage } from '../section-page.tsx';
import { t } from '../t.ts';
import { GreetingEditor, greetingsKey } from './greeting-editor.tsx';
import { describeRule, readRule } from './rules.ts';

const List = () => {
  const greetings = useQuery({ queryKey: greetingsKey, queryFn: () => callRest(listGreetings, {}) });
  const groupName = useGroupName();
  return (
    <SectionPage of="greetings" addLabel={t('addGreeting')}>
      <QueryRows
        label={t('greetings')}
        query={greetings}
        empty={<Empty title={t('noGreetingsYet')}>{t('sendProactiveMessagesToVisitors')}</Empty>}
      >
        {({ id, name, active, group, rules }) => (
          <Row
            key={id}
            to="/settings/$"
            path={`greetings/${id}`}
            title={name}
            detail={formatList(rules.map((rule) => describeRule(readRule(rule)))) || t('noRules')}
            aside={
              <>
                {group !== 0 && <Badge variant="light">{groupName(group)}</Badge>}
                {!active && <Badge variant="default">{t('off')}</Badge>}
              </>
            }
          />
        )}
      </QueryRows>
    </SectionPage>
  );
};

const Edit = ({ id }: { id: number }) => {
  const query = useQuery({
    queryKey: [...greetingsKey, id],
    queryFn: () => callRest(getGreeting, { params: { greeting_id: id } }),
  });
  return (
    <EditorPage of="greetings" title={query.data?.name ?? t('greeting')}>
      <Loaded query={query}>{(greeting) => <GreetingEditor key={id} greeting={greeting} />}</Loaded>
    </EditorPage>
  );
};

export const GreetingsSection = ({ id }: { id?: string | undefined }) => {
  if (!id) return <List />;
  if (id !== 'new') return <Edit id={Number(id)} />;
  return (
    <EditorPage of="greetings" title={t('newGreeting')}>
      <GreetingEditor />
    </EditorPage>
  );
};
