import type { FastifyReply } from 'fastify';
import * as contract from '#contracts/customer/configuration.ts';
import type { QueryOf } from '#contracts/operation.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import {
  type Configuration,
  getConfiguration,
  getLocalization,
  type Versioned,
} from '#server/domain/support/configuration/get-configuration.ts';
import {
  type DynamicConfiguration,
  getDynamicConfiguration,
} from '#server/domain/support/configuration/get-dynamic-configuration.ts';
import { type Action, action, type Route, route } from '#server/http/route.ts';
import { presentForm } from '#server/surfaces/chat-v3/present-form.ts';
import { presentAppearance, presentButton } from '#server/surfaces/chat-v3/present-widget.ts';

const customerAction = action<OrganizationScope>();
const customerRoute = route<OrganizationScope>();

/** The number of customers is not limited. */
export const presentDynamicConfiguration = (record: DynamicConfiguration): contract.DynamicConfiguration => ({
  group_id: record.groupId,
  organization_id: record.organizationId,
  client_limit_exceeded: false,
  domain_allowed: record.domainAllowed,
  ...(record.onlineGroupIds.length > 0 ? { online_group_ids: record.onlineGroupIds } : {}),
  config_version: record.configVersion,
  localization_version: record.localizationVersion,
  language: record.language,
});

const presentConfiguration = (record: Configuration): contract.Configuration => {
  const { appearance, buttons, forms, trustedDomains, properties } = record;
  return {
    buttons: buttons.map(presentButton),
    ...(forms.ticket ? { ticket_form: presentForm(forms.ticket) } : {}),
    ...(forms.prechat ? { prechat_form: presentForm(forms.prechat) } : {}),
    ...(forms.postchat ? { postchat_form: presentForm(forms.postchat) } : {}),
    ...(trustedDomains.length > 0 ? { allowed_domains: trustedDomains } : {}),
    appearance: presentAppearance(appearance),
    integrations: {},
    properties: { group: properties.group, license: properties.license },
  };
};

const readConfiguration = (scope: OrganizationScope, query: QueryOf<typeof contract.getConfiguration>) =>
  getConfiguration(scope, { groupId: query.group_id });

const readLocalization = (scope: OrganizationScope, query: QueryOf<typeof contract.getLocalization>) =>
  getLocalization(scope, { groupId: query.group_id, language: query.language });

const CACHE_FOREVER = `private, max-age=${30 * 24 * 3600}, immutable`;

/** A browser may cache the response only if it asked for the current version. */
const allowCaching = <T>(reply: FastifyReply, requested: string, { version, content }: Versioned<T>): T => {
  if (requested === version) reply.header('cache-control', CACHE_FOREVER);
  return content;
};

export const dynamicConfigurationActions: Action<OrganizationScope>[] = [
  customerAction(contract.getDynamicConfiguration, async ({ query, scope }) =>
    presentDynamicConfiguration(await getDynamicConfiguration(scope, { groupId: query.group_id, url: query.url })),
  ),
];

/** Over sockets nothing is cached. */
export const configurationActions: Action<OrganizationScope>[] = [
  customerAction(contract.getConfiguration, async ({ query, scope }) =>
    presentConfiguration((await readConfiguration(scope, query)).content),
  ),
  customerAction(contract.getLocalization, async ({ query, scope }) => (await readLocalization(scope, query)).content),
];

export const configurationRoutes: Route<OrganizationScope>[] = [
  customerRoute(contract.getConfiguration, async ({ query, scope, reply }) =>
    presentConfiguration(allowCaching(reply, query.version, await readConfiguration(scope, query))),
  ),
  customerRoute(contract.getLocalization, async ({ query, scope, reply }) =>
    allowCaching(reply, query.version, await readLocalization(scope, query)),
  ),
];
