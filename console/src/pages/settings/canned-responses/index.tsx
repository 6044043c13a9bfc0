import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getCannedResponse } from '#contracts/chat-ops/canned-responses.ts';
import { callRest } from '../../../api/call.ts';
import { cannedResponsesQuery } from '../../../api/people.ts';
import { FilterBar } from '../../../design/filter-bar.tsx';
import { Empty, Loaded } from '../../../design/states.tsx';
import { QueryRows, Row } from '../../../editing/row-list.tsx';
import { GroupSelect } from '../group-select.tsx';
import { EditorPage, SectionPage } from '../section-page.tsx';
import { t } from '../t.ts';
import { CannedResponseEditor } from './canned-response-editor.tsx';

const List = () => {
  const [group, setGroup] = useState(0);
  const responses = useQuery(cannedResponsesQuery(group));
  return (
    <SectionPage of="canned-responses" addLabel={t('addResponse')}>
      <FilterBar>
        <GroupSelect value={group} onGroup={setGroup} />
      </FilterBar>
      <QueryRows label={t('cannedResponses')} query={responses} empty={<Empty title={t('noCannedResponsesYet')} />}>
        {({ id, text, tags }) => (
          <Row
            key={id}
            to="/settings/$"
            path={`canned-responses/${id}`}
            title={text.length > 120 ? `${text.slice(0, 120)}…` : text}
            aside={tags.map((tag) => (
              <Badge key={tag} variant="light">
                #{tag}
              </Badge>
            ))}
          />
        )}
      </QueryRows>
    </SectionPage>
  );
};

const Edit = ({ id }: { id: number }) => {
  const query = useQuery({
    queryKey: ['canned-responses', 'one', id],
    queryFn: () => callRest(getCannedResponse, { params: { canned_response_id: id } }),
  });
  return (
    <EditorPage of="canned-responses" title={t('cannedResponse')}>
      <Loaded query={query}>{(response) => <CannedResponseEditor key={id} response={response} />}</Loaded>
    </EditorPage>
  );
};

export const CannedResponsesSection = ({ id }: { id?: string | undefined }) => {
  if (!id) return <List />;
  if (id !== 'new') return <Edit id={Number(id)} />;
  return (
    <EditorPage of="canned-responses" title={t('newCannedResponse')}>
      <CannedResponseEditor />
    </EditorPage>
  );
};
