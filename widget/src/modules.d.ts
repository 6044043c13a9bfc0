/** The engine's file name, inserted when the loader is built. */
declare const __ENGINE_FILE__: string;
