import { Stack, TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getTrustedDomains, setTrustedDomains } from '#contracts/configuration/widget.ts';
import { call } from '../../../api/call.ts';
import { Dimmed } from '../../../design/dimmed.tsx';
import { EditForm } from '../../../editing/edit-form.tsx';
import { useEditing } from '../../../editing/use-editing.ts';
import { t } from '../t.ts';

const domainsKey = ['trusted-domains'] as const;

export const useTrustedDomains = () =>
  useQuery({ queryKey: domainsKey, queryFn: () => call(getTrustedDomains, { body: {} }) });

export const DomainsForm = ({ domains, saveLabel }: { domains: string[]; saveLabel?: string }) => {
  const editing = useEditing({
    saved: { trusted_domains: domains },
    save: (draft) => call(setTrustedDomains, { body: draft }),
    refetch: [domainsKey],
    notice: t('savedEffectiveImmediately'),
  });
  const { draft, change } = editing;
  const errorOfOne = draft.trusted_domains
    .map((_, index) => editing.errorFor(`trusted_domains.${index}`))
    .find(Boolean);
  return (
    <EditForm editing={editing} {...(saveLabel ? { saveLabel } : {})}>
      <Stack gap="md" maw={560}>
        <TagsInput
          label={t('domains')}
          description={t('pressEnterAfterEachIncludes')}
          placeholder="shop.example"
          value={draft.trusted_domains}
          onChange={(trusted_domains) => change({ trusted_domains })}
          splitChars={[',', ' ', '\n']}
          maxTags={500}
          error={editing.errorFor('trusted_domains') ?? errorOfOne}
        />
        {draft.trusted_domains.length === 0 && <Dimmed>{t('withoutADomainAnyWebsite')}</Dimmed>}
      </Stack>
    </EditForm>
  );
};
