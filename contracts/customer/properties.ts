import { Type } from 'typebox';
import { Properties } from '../chat/events.ts';
import * as chat from '../chat/properties.ts';
import { Int32 } from '../values.ts';
import { customerAction, customerQuery } from './operation.ts';

const description =
  'A customer may set ratings and the properties that the account makes writable for customers. Any other property fails with `authorization`.';

export const updateChatProperties = customerAction({ ...chat.updateChatProperties, description });
export const deleteChatProperties = customerAction({ ...chat.deleteChatProperties, description });
export const updateThreadProperties = customerAction({ ...chat.updateThreadProperties, description });
export const deleteThreadProperties = customerAction({ ...chat.deleteThreadProperties, description });
export const updateEventProperties = customerAction({ ...chat.updateEventProperties, description });
export const deleteEventProperties = customerAction({ ...chat.deleteEventProperties, description });

const filter = {
  namespace: Type.Optional(Type.String({ maxLength: 100 })),
  name: Type.Optional(Type.String({ maxLength: 100 })),
};

export const listLicenseProperties = customerAction({
  name: 'list_license_properties',
  method: 'GET',
  summary: 'Lists the properties of the account that customers may read',
  public: true,
  rateLimit: 'anonymous_customer',
  query: Type.Object({ ...customerQuery.properties, ...filter }),
  responses: { 200: Properties },
});

export const listGroupProperties = customerAction({
  name: 'list_group_properties',
  method: 'GET',
  summary: 'Lists the properties of a group that customers may read',
  public: true,
  rateLimit: 'anonymous_customer',
  query: Type.Object({ ...customerQuery.properties, id: Int32({ description: 'The group id' }), ...filter }),
  responses: { 200: Properties },
});
