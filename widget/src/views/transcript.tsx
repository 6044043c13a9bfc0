/** @jsxImportSource preact */
import { useState } from 'preact/hooks';
import type { State } from '../chat/state.ts';
import { Form } from './form.tsx';
import { useWidget } from './use-widget.ts';

/** The button that opened this form is gone, so the keyboard focus has to move here. */
const focusField = (form: HTMLElement | null): void => form?.querySelector('input')?.focus();

/** Asks for an email address and confirms. */
export const Transcript = ({ state, onDone }: { state: State; onDone(): void }) => {
  const { t, actions } = useWidget();
  const [sentTo, setSentTo] = useState('');
  if (sentTo)
    return (
      <p class="notice" role="status">
        {t('Transcript_sent', { email: sentTo })}
      </p>
    );
  return (
    <div class="transcript" ref={focusField}>
      <Form
        form={{
          id: 'transcript',
          fields: [{ type: 'email', id: 'transcript-email', label: t('Email'), required: true }],
        }}
        initialAnswers={{ 'transcript-email': { text: state.customer?.email ?? '' } }}
        submitLabel={t('Send_transcript')}
        onSubmit={async (answers) => {
          const email = answers['transcript-email']!.text!.trim();
          await actions.emailTranscript(email);
          setSentTo(email);
        }}
      />
      <button type="button" class="link" onClick={onDone}>
        {t('Cancel')}
      </button>
    </div>
  );
};
