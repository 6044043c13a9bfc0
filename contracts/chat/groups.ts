import { oneOf } from '../values.ts';

/** `online_for_queue`: agents accept chats, but none has free capacity. */
export const GroupStatus = oneOf('online', 'offline', 'online_for_queue');
