import type { EventRecord } from '#server/domain/support/chats/records.ts';

interface Choice {
  label?: unknown;
}

interface Field {
  id?: unknown;
  type?: unknown;
  label?: unknown;
  answer?: unknown;
  answers?: unknown;
}

const labelOf = (choice: unknown): string => {
  const label = typeof choice === 'string' ? choice : (choice as Choice | null | undefined)?.label;
  return typeof label === 'string' ? label : '';
};

const presentField = ({ id, type, label, answer, answers }: Field): object => ({
  id: String(id ?? ''),
  type: String(type ?? ''),
  label: String(label ?? ''),
  ...(Array.isArray(answers)
    ? { answers: answers.map((choice) => ({ label: labelOf(choice), chosen: true })) }
    : { answer: labelOf(answer) }),
});

/** The customer's answers to the pre-chat form; absent without a form. */
export const presentPrechatSurvey = (events: EventRecord[]): object[] =>
  events.flatMap(({ content }) =>
    content.type === 'filled_form' && content.formType === 'prechat'
      ? content.fields.map((field) => presentField(field as Field))
      : [],
  );
