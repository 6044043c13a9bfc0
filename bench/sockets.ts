export const run = async (): Promise<void> => {};
