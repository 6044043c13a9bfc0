export interface GroupStatus {
  id: number;
  /**
   * `online`: an agent has room. `online_for_queue`: agents accept chats but all are at their limit. `offline`: no agent
   * accepts chats.
   */
  status: 'online' | 'online_for_queue' | 'offline';
}
