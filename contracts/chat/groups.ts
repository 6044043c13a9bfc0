import { oneOf } from '../values.ts';

/** `online_for_queue`: somebody takes chats there, but nobody has room for one more now. */
export const GroupStatus = oneOf('online', 'offline', 'online_for_queue');
