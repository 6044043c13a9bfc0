import { Loaded } from '../../../design/states.tsx';
import { SectionPage } from '../section-page.tsx';
import { DomainsForm, useTrustedDomains } from './domains-form.tsx';

export const TrustedDomainsSection = () => (
  <SectionPage of="trusted-domains">
    <Loaded query={useTrustedDomains()}>{({ trusted_domains }) => <DomainsForm domains={trusted_domains} />}</Loaded>
  </SectionPage>
);
