import { type Static, Type } from 'typebox';
import { Customer, SessionFieldsInput } from '../chat/customers.ts';
import { Subscription } from '../chat/frames.ts';
import { Greeting } from '../chat/greetings.ts';
import { Int32, Nullable } from '../values.ts';

const Text = (maxLength: number) => Type.Optional(Nullable(Type.String({ maxLength })));

/** The page the customer is on. */
export const CustomerPage = Type.Object({ url: Type.String({ minLength: 1, maxLength: 4096 }), title: Text(1000) });

/** The first request on a customer's socket. */
export const LoginPayload = Type.Object({
  token: Type.String({ maxLength: 2048, description: '`Bearer <customer token>`' }),
  customer: Type.Optional(
    Nullable(
      Type.Object({
        name: Text(255),
        email: Text(254),
        avatar: Text(2048),
        session_fields: Type.Optional(Nullable(SessionFieldsInput)),
      }),
    ),
  ),
  customer_page: Type.Optional(Nullable(CustomerPage)),
  referrer: Text(4096),
  group_id: Type.Optional(Nullable(Int32())),
  pushes: Type.Optional(Nullable(Subscription)),
});
export type LoginPayload = Static<typeof LoginPayload>;

export const LoginResponse = Type.Object({
  customer_id: Type.String(),
  customer: Customer,
  has_active_thread: Type.Boolean(),
  chats: Type.Array(Type.Object({ chat_id: Type.String(), has_unread_events: Type.Boolean() })),
  greeting: Type.Optional(
    Type.Interface(
      [Greeting],
      { accepted: Type.Boolean() },
      { description: 'The greeting that is still on the screen' },
    ),
  ),
  __priv_dynamic_config: Type.Record(Type.String(), Type.Unknown()),
});
export type LoginResponse = Static<typeof LoginResponse>;
