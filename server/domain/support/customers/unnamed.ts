/** What somebody is called who told no name, wherever a name must be shown. */
export const UNNAMED = 'Client';
