/** @jsxImportSource preact */
import { useState } from 'preact/hooks';
import type { State } from '../chat/state.ts';
import { useChatting } from './context.ts';
import { Form } from './form.tsx';

/** The button that led here is gone, and with it the place where a keyboard was. */
const focusField = (form: HTMLElement | null): void => form?.querySelector('input')?.focus();

/** Asks where to, and says that it is on its way. */
export const Transcript = ({ state, onDone }: { state: State; onDone(): void }) => {
  const { say, talking } = useChatting();
  const [sentTo, setSentTo] = useState('');
  if (sentTo)
    return (
      <p class="notice" role="status">
        {say('Transcript_sent', { email: sentTo })}
      </p>
    );
  return (
    <div class="transcript" ref={focusField}>
      <Form
        form={{
          id: 'transcript',
          fields: [{ type: 'email', id: 'transcript-email', label: say('Email'), required: true }],
        }}
        given={{ 'transcript-email': { text: state.customer?.email ?? '' } }}
        submitLabel={say('Send_transcript')}
        onSubmit={async (answers) => {
          const email = answers['transcript-email']!.text!.trim();
          await talking.mailTranscript(email);
          setSentTo(email);
        }}
      />
      <button type="button" class="link" onClick={onDone}>
        {say('Cancel')}
      </button>
    </div>
  );
};
