export interface GroupStatus {
  id: number;
  /** Somebody there has room; somebody takes chats but nobody has room; nobody takes chats. */
  status: 'online' | 'online_for_queue' | 'offline';
}
