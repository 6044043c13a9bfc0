const CLOSING = /^(manual_archived_|archived_|routing\.archived_|system_archived$)/;

/** Whether a system message tells that the chat ended. */
export const isClosing = (systemMessageType: string): boolean => CLOSING.test(systemMessageType);

/** Who ended it: a system message has no author, but its type says so. Undefined: nobody but the program. */
export const closedBy = (systemMessageType: string): 'customer' | 'agent' | undefined => {
  if (/^(manual_)?archived_customer/.test(systemMessageType)) return 'customer';
  return systemMessageType === 'manual_archived_agent' ? 'agent' : undefined;
};
