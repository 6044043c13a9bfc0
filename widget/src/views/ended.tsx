/** @jsxImportSource preact */
import { useState } from 'preact/hooks';
import type { Form as FormShape } from '#contracts/customer/forms.ts';
import { agentOf, lastThread } from '../chat/conversation.ts';
import { startView } from '../chat/desk.ts';
import type { State } from '../chat/state.ts';
import { useChatting } from './context.ts';
import { Form } from './form.tsx';
import { Transcript } from './transcript.tsx';

/** Where the account asks nothing after a chat, the rating is still welcome. */
const ratingForm = (say: (key: string) => string): FormShape => ({
  id: '',
  fields: [
    {
      type: 'rating',
      id: 'rating',
      label: say('Rate_this_chat'),
      required: false,
      comment_label: say('Leave_comment'),
    },
  ],
});

const THREE_DAYS = 3 * 86_400_000;

/** After a chat: how it was, a copy by mail, and the way to another one. */
export const Ended = ({ state }: { state: State }) => {
  const { core, say, desk, forms, store } = useChatting();
  const [finished, setFinished] = useState(false);
  const [mailing, setMailing] = useState(false);
  const thread = lastThread(state.conversation);
  const answered = !!state.conversation && !!agentOf(state.conversation);
  const asked = thread?.events.some(({ form_type }) => form_type === 'postchat') || thread?.properties.rating;
  const recent = Date.now() - Date.parse(thread?.events.at(-1)?.created_at ?? '') < THREE_DAYS;
  const form = core.configuration().postchat_form ?? ratingForm(say);
  return (
    <div class="ended">
      {answered && recent && !asked && !finished && (
        <Form
          form={form}
          submitLabel={say('Submit')}
          onSubmit={async (answers) => {
            await forms.finish(form, answers);
            setFinished(true);
          }}
        />
      )}
      {finished && <p role="status">{say('Thank_you_rating')}</p>}
      {mailing && <Transcript state={state} onDone={() => setMailing(false)} />}
      <div class="actions">
        <button
          type="button"
          class="secondary"
          onClick={() => store.set({ view: startView(desk), trouble: undefined })}
        >
          {say(state.online ? 'Start_new_chat' : 'Leave_message')}
        </button>
        {answered && !mailing && (
          <button type="button" class="link" onClick={() => setMailing(true)}>
            {say('Send_transcript')}
          </button>
        )}
      </div>
    </div>
  );
};
