import { type Json, newAddress, send } from '../partner/index.ts';
import { kit } from './target.ts';

const { newPartner, target } = kit;

export const AT = '/resellers/licenses';
/** Cards of the sandbox payment provider, named after the result of charging them. */
export const CARDS = {
  fine: '4111111111111111',
  another: '5555555555554444',
  declined: '4000000000000002',
  underfunded: '4000000000009995',
  expired: '4000000000000069',
  stolen: '4000000000009979',
};
export const cardFields = {
  ...{ key: 'any', first_name: 'Carl', last_name: 'Client', number: CARDS.fine, month: '12', year: '2099' },
  ...{ verification_value: '123', address1: '1 Street', city: 'Town', state: 'CA', zip: '90001', country: 'US' },
};
export const tokenizeCard = (fields: object) =>
  send(`${target.url}/sandbox/payments/token?${new URLSearchParams(fields as Record<string, string>)}`, {});
export const createCardToken = async (number: string = CARDS.fine): Promise<string> =>
  (await tokenizeCard({ ...cardFields, number })).body.id;

export const partner = await newPartner();
export const stranger = await newPartner();
export const newClient = (more: object = {}): Promise<Json> =>
  partner.ok(201, 'POST', AT, { client_name: 'Client Ltd', client_email: newAddress('client'), ...more });
export const read = (license: string): Promise<Json> => partner.ok(200, 'GET', `${AT}/${license}`);
export const terms = { plan: 'team', billing_cycle: 'monthly', seats: 2 };
export const createSubscribedLicense = async (): Promise<string> => {
  const { license } = await newClient();
  await partner.ok(201, 'POST', `${AT}/${license}/subscription`, { token: await createCardToken(), ...terms });
  return license;
};
