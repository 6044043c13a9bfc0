/** @jsxImportSource preact */
import { useEffect } from 'preact/hooks';
import type { Form as FormShape } from '#contracts/customer/forms.ts';
import type { Answers } from '../chat/forms.ts';
import type { State } from '../chat/state.ts';
import { Avatar } from './avatar.tsx';
import { Composer } from './composer.tsx';
import { useChatting } from './context.ts';
import { Form } from './form.tsx';
import { textOr, Words } from './words.tsx';

/** Who was here before need not say it again. */
const knownAnswers = ({ fields }: FormShape, { customer }: State): Answers =>
  Object.fromEntries(
    fields.flatMap(({ type, id }) => {
      const text = type === 'name' || type === 'email' ? customer?.[type] : undefined;
      return text ? [[id, { text }]] : [];
    }),
  );

const Greeting = ({ state: { greeting } }: { state: State }) =>
  greeting ? (
    <div class="event theirs">
      <Avatar name={greeting.agent.name} address={greeting.agent.avatar} />
      <div class="said">
        <Words text={textOr(greeting.event.text)} />
      </div>
    </div>
  ) : null;

const HistoryLink = ({ state }: { state: State }) => {
  const { say, store } = useChatting();
  return state.hasHistory || state.conversation ? (
    <button type="button" class="link" onClick={() => store.set({ view: 'history' })}>
      {say('Chat_history')}
    </button>
  ) : null;
};

/** Before a chat: what the account asks first, or just something to write into. */
export const Start = ({ state }: { state: State }) => {
  const { core, say, forms, talking } = useChatting();
  const { prechat_form: form } = core.configuration();
  useEffect(() => {
    if (state.online) void talking.meetAgent().catch(() => {});
  }, [state.online, talking.meetAgent]);
  if (!state.online)
    return (
      <div class="page">
        <p class="form-header">{say('Agents_not_available')}</p>
        <HistoryLink state={state} />
      </div>
    );
  return (
    <>
      <div class="page">
        <Greeting state={state} />
        {state.trouble && (
          <p class="fault" role="alert">
            {say(state.trouble)}
          </p>
        )}
        {form ? (
          <Form
            form={form}
            given={knownAnswers(form, state)}
            submitLabel={say('Start_chat')}
            onSubmit={(answers) => forms.startWith(form, answers)}
          />
        ) : (
          !state.greeting && <p class="form-header">{say('Welcome_message')}</p>
        )}
        <HistoryLink state={state} />
      </div>
      {!form && <Composer state={state} />}
    </>
  );
};

/** When nobody is there: what becomes a ticket. */
export const Ticket = ({ state }: { state: State }) => {
  const { core, say, forms, store } = useChatting();
  const { ticket_form: form } = core.configuration();
  if (!form) return <Start state={state} />;
  return (
    <div class="page">
      <Form
        form={form}
        given={knownAnswers(form, state)}
        submitLabel={say('Send_message')}
        onSubmit={(answers) => forms.leaveTicket(form, answers)}
      />
      {state.online && (
        <button type="button" class="link" onClick={() => store.set({ view: 'start' })}>
          {say('Start_chat')}
        </button>
      )}
      <HistoryLink state={state} />
    </div>
  );
};

export const TicketSent = ({ state }: { state: State }) => {
  const { say, store } = useChatting();
  return (
    <div class="page">
      <p class="form-header" role="status">
        {say('Ticket_sent', { email: state.answeredTo ?? '' })}
      </p>
      <button type="button" class="link" onClick={() => store.set({ view: state.online ? 'start' : 'ticket' })}>
        {say('Back')}
      </button>
    </div>
  );
};
