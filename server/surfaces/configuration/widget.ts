import * as contract from '#contracts/configuration/widget.ts';
import type { BodyOf } from '#contracts/operation.ts';
import { requireAgent } from '#server/domain/access.ts';
import { getTrustedDomains, setTrustedDomains } from '#server/domain/accounts/licenses/trusted-domains.ts';
import { definedFields } from '#server/domain/defined-fields.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { readGroupSettings } from '#server/domain/support/configuration/settings.ts';
import { updateGroupSettings } from '#server/domain/support/groups/update-settings.ts';
import { languages, phrasesFor } from '#server/domain/support/localization/phrases.ts';
import { type Route, route } from '#server/http/route.ts';
import { presentAppearance, presentButton } from '#server/surfaces/chat-v3/present-widget.ts';

const agentRoute = route<OrganizationScope>();

type Change = BodyOf<typeof contract.updateGroupWidget>;

const readAppearance = ({ theme, position, accent_color, logo_url }: NonNullable<Change['appearance']>) =>
  definedFields({ theme, position, accentColor: accent_color, logoUrl: logo_url === null ? '' : logo_url });

const readButtons = (buttons: Change['buttons']) =>
  buttons === null
    ? null
    : buttons?.map(({ id, type, online_value, offline_value }) => ({
        ...{ id, type, onlineValue: online_value, offlineValue: offline_value },
      }));

export const widgetRoutes: Route<OrganizationScope>[] = [
  agentRoute(contract.getGroupWidget, async ({ body, scope }) => {
    requireAgent(scope.actor);
    const { language, appearance, buttons, phrases } = await readGroupSettings(scope, body.group_id);
    return {
      ...{ group_id: body.group_id, language, languages, phrases, default_phrases: phrasesFor(language) },
      ...{ appearance: presentAppearance(appearance), buttons: buttons.map(presentButton) },
    };
  }),
  agentRoute(contract.updateGroupWidget, async ({ body, scope }) => {
    const { language, appearance, buttons, phrases } = body;
    await updateGroupSettings(scope, body.group_id, {
      ...{ language, phrases, appearance: appearance && readAppearance(appearance), buttons: readButtons(buttons) },
    });
    return {};
  }),
  agentRoute(contract.getTrustedDomains, async ({ scope }) => ({ trusted_domains: await getTrustedDomains(scope) })),
  agentRoute(contract.setTrustedDomains, async ({ body, scope }) => {
    await setTrustedDomains(scope, body.trusted_domains);
    return { trusted_domains: await getTrustedDomains(scope) };
  }),
];
