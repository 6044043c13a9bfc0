import type { ArchivedChat as WireChat } from '#contracts/chat-ops/chats.ts';
import type { EventRecord } from '#server/domain/support/chats/records.ts';

type Answer = WireChat['prechat_survey'][number];

interface Choice {
  label?: unknown;
}

interface Field {
  id?: unknown;
  label?: unknown;
  answer?: unknown;
  answers?: unknown;
}

const choiceText = (answer: unknown): string => {
  if (typeof answer === 'string') return answer;
  const label = (answer as Choice | null | undefined)?.label;
  return typeof label === 'string' ? label : '';
};

/** Text fields have a text, choices an object with a label, checkboxes a list of such objects. */
const answerText = ({ answer, answers }: Field): string =>
  Array.isArray(answers) ? answers.map(choiceText).join(', ') : choiceText(answer);

const presentField = (field: Field): Answer => ({
  key: String(field.label ?? ''),
  value: answerText(field),
  id: String(field.id ?? ''),
});

/** The answers of one stored form. */
export const presentFields = (fields: readonly unknown[]): Answer[] =>
  fields.map((field) => presentField(field as Field));

/** The answers of all forms of this kind in the chat. */
export const presentSurvey = (events: EventRecord[], formType: 'prechat' | 'postchat'): Answer[] =>
  events.flatMap(({ content }) =>
    content.type === 'filled_form' && content.formType === formType ? presentFields(content.fields) : [],
  );
