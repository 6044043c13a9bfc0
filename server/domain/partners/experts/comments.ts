import type { Selectable } from 'kysely';
import type { ExpertCommentsTable } from '#server/storage/tables/experts.ts';
import { requireOperator } from '../../access.ts';
import { notFound } from '../../errors.ts';
import { openPartnerScope, type PartnerScope, type PlatformScope } from '../../scope.ts';
import { getExpert } from './profile.ts';
import { enterExpert } from './review.ts';

export type CommentRecord = Selectable<ExpertCommentsTable>;

/** Newest first. */
export const readComments = (scope: PartnerScope): Promise<CommentRecord[]> =>
  scope.from('expertComments').orderBy('id', 'desc').selectAll().execute();

export const listComments = async (scope: PartnerScope): Promise<CommentRecord[]> => {
  await getExpert(scope);
  return readComments(scope);
};

export interface NewComment {
  partnerId: number;
  comment: string;
  author: string;
  website?: string | undefined;
}

/** Only the operator adds comments about experts. */
export const addComment = async (scope: PlatformScope, input: NewComment): Promise<CommentRecord> => {
  const { partnerId, comment, author, website = '' } = input;
  const inside = await enterExpert(scope, partnerId);
  return inside
    .insert('expertComments', { comment, author, website, createdAt: scope.now() })
    .returningAll()
    .executeTakeFirstOrThrow();
};

export const removeComment = async (
  scope: PlatformScope,
  { partnerId, id }: { partnerId: number; id: number },
): Promise<void> => {
  requireOperator(scope.actor);
  const inside = openPartnerScope(scope.services, scope.actor, partnerId);
  const { numDeletedRows } = await inside.remove('expertComments').where('id', '=', id).executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw notFound('Comment');
};

export interface ExpertStats {
  comments: number;
  messages: number;
}

export const getExpertStats = async (scope: PartnerScope): Promise<ExpertStats> => {
  await getExpert(scope);
  const count = (table: 'expertComments' | 'expertMessages') =>
    scope
      .from(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
  const [comments, messages] = await Promise.all([count('expertComments'), count('expertMessages')]);
  return { comments: comments.count, messages: messages.count };
};
