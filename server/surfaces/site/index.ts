import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/context.ts';

/** The few pages that say what runs here. */
export const addSite = (_app: FastifyInstance, _ctx: Context): void => {};
