import { type Static, Type } from 'typebox';
import { Int32 } from '../values.ts';
import { Event } from './events.ts';

const Host = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.Literal('agent'),
  avatar: Type.String(),
  job_title: Type.String(),
  is_bot: Type.Boolean(),
});

/** A greeting shown to a customer. */
export const Greeting = Type.Object({
  id: Int32({ description: 'The configured greeting' }),
  unique_id: Type.String({ description: 'Identifies this display of the greeting' }),
  displayed_first_time: Type.Boolean(),
  is_exit_intent: Type.Boolean(),
  event: Event,
  agent: Host,
});
export type Greeting = Static<typeof Greeting>;
