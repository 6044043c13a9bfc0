const CLOSING = /^(manual_archived_|archived_|routing\.archived_|system_archived$)/;

/** Whether a system message says that the chat ended. */
export const isClosing = (systemMessageType: string): boolean => CLOSING.test(systemMessageType);

/** System messages have no author, but their type says who closed the chat; undefined when the server did. */
export const closedBy = (systemMessageType: string): 'customer' | 'agent' | undefined => {
  if (/^(manual_)?archived_customer/.test(systemMessageType)) return 'customer';
  return systemMessageType === 'manual_archived_agent' ? 'agent' : undefined;
};
