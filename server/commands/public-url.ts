import type { Config } from '../config.ts';

/** The base of links that commands print. */
export const publicUrlOf = ({ publicUrl, host, port }: Config): string => publicUrl ?? `http://${host}:${port}`;
