/** @jsxImportSource preact */
import { useState } from 'preact/hooks';
import type { Form as FormShape } from '#contracts/customer/forms.ts';
import { startView } from '../chat/chat-context.ts';
import { agentOf, lastThread } from '../chat/conversation.ts';
import type { State } from '../chat/state.ts';
import { Form } from './form.tsx';
import { Transcript } from './transcript.tsx';
import { useWidget } from './use-widget.ts';

/** Used when the account has no post-chat form. */
const ratingForm = (t: (key: string) => string): FormShape => ({
  id: '',
  fields: [
    {
      type: 'rating',
      id: 'rating',
      label: t('Rate_this_chat'),
      required: false,
      comment_label: t('Leave_comment'),
    },
  ],
});

const THREE_DAYS = 3 * 86_400_000;

/** Post-chat form, transcript and new chat. */
export const ChatEnded = ({ state }: { state: State }) => {
  const { core, t, context, forms, store } = useWidget();
  const [finished, setFinished] = useState(false);
  const [mailing, setMailing] = useState(false);
  const thread = lastThread(state.conversation);
  const answered = !!state.conversation && !!agentOf(state.conversation);
  const hasFeedback = thread?.events.some(({ form_type }) => form_type === 'postchat') || thread?.properties.rating;
  const recent = Date.now() - Date.parse(thread?.events.at(-1)?.created_at ?? '') < THREE_DAYS;
  const form = core.configuration().postchat_form ?? ratingForm(t);
  return (
    <div class="ended">
      {answered && recent && !hasFeedback && !finished && (
        <Form
          form={form}
          submitLabel={t('Submit')}
          onSubmit={async (answers) => {
            await forms.finish(form, answers);
            setFinished(true);
          }}
        />
      )}
      {finished && <p role="status">{t('Thank_you_rating')}</p>}
      {mailing && <Transcript state={state} onDone={() => setMailing(false)} />}
      <div class="actions">
        <button
          type="button"
          class="secondary"
          onClick={() => store.set({ view: startView(context), startError: undefined })}
        >
          {t(state.online ? 'Start_new_chat' : 'Leave_message')}
        </button>
        {answered && !mailing && (
          <button type="button" class="link" onClick={() => setMailing(true)}>
            {t('Send_transcript')}
          </button>
        )}
      </div>
    </div>
  );
};
