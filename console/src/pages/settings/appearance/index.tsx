import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { getGroupWidget } from '#contracts/configuration/widget.ts';
import { call } from '../../../api/call.ts';
import { FilterBar } from '../../../design/filter-bar.tsx';
import { Loaded } from '../../../design/states.tsx';
import { GroupSelect } from '../group-select.tsx';
import { SectionPage } from '../section-page.tsx';
import { AppearanceForm, widgetKey } from './appearance-form.tsx';
import { EmbedCode } from './embed.tsx';

/** URL: `appearance/<group>`. */
export const AppearanceSection = ({ id }: { id?: string | undefined }) => {
  const navigate = useNavigate();
  const group = Number(id) || 0;
  const query = useQuery({
    queryKey: widgetKey(group),
    queryFn: () => call(getGroupWidget, { body: { group_id: group } }),
  });
  return (
    <SectionPage of="appearance">
      <FilterBar>
        <GroupSelect
          value={group}
          onGroup={(next) => void navigate({ to: '/settings/$', params: { _splat: `appearance/${next}` } })}
        />
      </FilterBar>
      <EmbedCode group={group} />
      <Loaded query={query}>{(widget) => <AppearanceForm key={group} widget={widget} />}</Loaded>
    </SectionPage>
  );
};
