/** The name of the engine’s file, put in when the loader is built. */
declare const __ENGINE_FILE__: string;
