/** The id of the built-in group that every agent belongs to. A chat open to it can be taken by any agent. */
export const ALL_AGENTS = 0;
