/** @jsxImportSource preact */
import { useEffect } from 'preact/hooks';
import type { Form as FormShape } from '#contracts/customer/forms.ts';
import type { Answers } from '../chat/forms.ts';
import type { State } from '../chat/state.ts';
import { Avatar } from './avatar.tsx';
import { Composer } from './composer.tsx';
import { Form } from './form.tsx';
import { asText, LinkedText } from './linked-text.tsx';
import { useWidget } from './use-widget.ts';

/** Prefills what is known about a returning customer. */
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
      <div class="event-body">
        <LinkedText text={asText(greeting.event.text)} />
      </div>
    </div>
  ) : null;

const HistoryLink = ({ state }: { state: State }) => {
  const { t, store } = useWidget();
  return state.hasHistory || state.conversation ? (
    <button type="button" class="link" onClick={() => store.set({ view: 'history' })}>
      {t('Chat_history')}
    </button>
  ) : null;
};

/** Before a chat: the pre-chat form, or only the composer. */
export const Start = ({ state }: { state: State }) => {
  const { core, t, forms, actions } = useWidget();
  const { prechat_form: form } = core.configuration();
  useEffect(() => {
    if (state.online) void actions.loadPredictedAgent().catch(() => {});
  }, [state.online, actions.loadPredictedAgent]);
  if (!state.online)
    return (
      <div class="page">
        <p class="form-header">{t('Agents_not_available')}</p>
        <HistoryLink state={state} />
      </div>
    );
  return (
    <>
      <div class="page">
        <Greeting state={state} />
        {state.startError && (
          <p class="error" role="alert">
            {t(state.startError)}
          </p>
        )}
        {form ? (
          <Form
            form={form}
            initialAnswers={knownAnswers(form, state)}
            submitLabel={t('Start_chat')}
            onSubmit={(answers) => forms.startWith(form, answers)}
          />
        ) : (
          !state.greeting && <p class="form-header">{t('Welcome_message')}</p>
        )}
        <HistoryLink state={state} />
      </div>
      {!form && <Composer state={state} />}
    </>
  );
};

/** The offline form, which creates a ticket. */
export const Ticket = ({ state }: { state: State }) => {
  const { core, t, forms, store } = useWidget();
  const { ticket_form: form } = core.configuration();
  if (!form) return <Start state={state} />;
  return (
    <div class="page">
      <Form
        form={form}
        initialAnswers={knownAnswers(form, state)}
        submitLabel={t('Send_message')}
        onSubmit={(answers) => forms.leaveTicket(form, answers)}
      />
      {state.online && (
        <button type="button" class="link" onClick={() => store.set({ view: 'start' })}>
          {t('Start_chat')}
        </button>
      )}
      <HistoryLink state={state} />
    </div>
  );
};

export const TicketSent = ({ state }: { state: State }) => {
  const { t, store } = useWidget();
  return (
    <div class="page">
      <p class="form-header" role="status">
        {t('Ticket_sent', { email: state.ticketEmail ?? '' })}
      </p>
      <button type="button" class="link" onClick={() => store.set({ view: state.online ? 'start' : 'ticket' })}>
        {t('Back')}
      </button>
    </div>
  );
};
