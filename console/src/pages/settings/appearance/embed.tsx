import { Box, Code, Group, Paper, Title } from '@mantine/core';
import { useSession } from '../../../api/session.ts';
import { CopyTextButton } from '../../../design/copy-text-button.tsx';
import { Dimmed } from '../../../design/dimmed.tsx';
import { richText } from '../../../i18n/rich-text.tsx';
import { t } from '../t.ts';
import { DomainsForm, useTrustedDomains } from '../trusted-domains/domains-form.tsx';
import { writeEmbedCode } from './embed-code.ts';

/** Part of setting up the widget: without a list, every website can show it and ask visitors for their identity. */
const AskForDomains = () => {
  const { data } = useTrustedDomains();
  if (!data || data.trusted_domains.length > 0) return null;
  return (
    <Box mb="md">
      <Title order={3} size="h5" mb="xs">
        {t('whichWebsitesShowTheWidget')}
      </Title>
      <DomainsForm domains={[]} saveLabel={t('addDomains')} />
    </Box>
  );
};

export const EmbedCode = ({ group }: { group: number }) => {
  const { organization_id: organizationId } = useSession();
  const code = writeEmbedCode(location.origin, organizationId, group);
  return (
    <Paper withBorder p="md" mb="lg" component="section" aria-labelledby="embed-title">
      <Group justify="space-between" wrap="nowrap">
        <Title order={2} size="h4" id="embed-title">
          {t('websiteCode')}
        </Title>
        <CopyTextButton value={code} label={t('copyCode')} style={{ flex: 'none' }} />
      </Group>
      <AskForDomains />
      <Dimmed mb="xs">{richText(t, 'addThisLineToEvery', { tag: <Code>{'</body>'}</Code> })}</Dimmed>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {code}
      </Code>
    </Paper>
  );
};
