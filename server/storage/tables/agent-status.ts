export type LoginStatus = 'accepting chats' | 'not accepting chats';

export type AgentStatus = LoginStatus | 'offline';
