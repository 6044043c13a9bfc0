/** @jsxImportSource preact */
import { useRef, useState } from 'preact/hooks';
import type { Form as FormShape } from '#contracts/customer/forms.ts';
import { type Answers, type Field, faultOf, optionsOf, translate } from '../chat/forms.ts';
import { useChatting } from './context.ts';
import { Icon } from './icons.tsx';

interface FieldProps {
  field: Field;
  answer: Answers[string];
  fault: string | undefined;
  change(answer: Answers[string]): void;
}

const longest: Partial<Record<Field['type'], number>> = { name: 200, email: 254, subject: 500, textarea: 16384 };

const Choices = ({ field, answer, change, describedBy }: FieldProps & { describedBy: string | undefined }) => {
  const { say } = useChatting();
  const { chosen = [] } = answer;
  const many = field.type === 'checkbox';
  const toggle = (id: string, on: boolean): void =>
    change({ ...answer, chosen: [...(many ? chosen.filter((one) => one !== id) : []), ...(on ? [id] : [])] });
  return (
    <div class={field.type === 'rating' ? 'rating' : 'choices'} aria-describedby={describedBy}>
      {optionsOf(field, say).map(({ id, label }) => (
        <label key={id} class={chosen.includes(id) ? 'chosen' : ''}>
          <input
            type={many ? 'checkbox' : 'radio'}
            name={field.id}
            checked={chosen.includes(id)}
            onChange={({ currentTarget }) => toggle(id, currentTarget.checked)}
          />
          {field.type === 'rating' && <Icon name={id === 'good' ? 'good' : 'bad'} />}
          <span dir="auto">{label}</span>
        </label>
      ))}
      {field.type === 'rating' && field.comment_label && chosen.length > 0 && (
        <label class="comment">
          <span dir="auto">{field.comment_label}</span>
          <textarea
            rows={3}
            maxLength={4096}
            value={answer.comment ?? ''}
            onInput={({ currentTarget }) => change({ ...answer, comment: currentTarget.value })}
          />
        </label>
      )}
    </div>
  );
};

const Writing = ({ field, answer, fault, change, describedBy }: FieldProps & { describedBy: string | undefined }) => {
  const { say } = useChatting();
  const shared = {
    id: `field-${field.id}`,
    required: !!field.required,
    'aria-invalid': !!fault,
    'aria-describedby': describedBy,
    dir: 'auto',
  } as const;
  const write = (text: string): void => change({ ...answer, text });
  if (field.type === 'select' || field.type === 'group_chooser')
    return (
      <select
        {...shared}
        value={answer.chosen?.[0] ?? ''}
        onChange={({ currentTarget }) => change({ chosen: currentTarget.value ? [currentTarget.value] : [] })}
      >
        <option value="">{say(field.type === 'select' ? 'Choose_option' : 'Choose_group')}</option>
        {field.options?.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
    );
  const text = { ...shared, value: answer.text ?? '', maxLength: longest[field.type] ?? 4096 };
  if (field.type === 'textarea')
    return <textarea {...text} rows={4} onInput={({ currentTarget }) => write(currentTarget.value)} />;
  const known = field.type === 'email' || field.type === 'name' ? field.type : 'off';
  return (
    <input
      {...text}
      type="text"
      inputMode={field.type === 'email' ? 'email' : 'text'}
      autoComplete={known}
      onInput={({ currentTarget }) => write(currentTarget.value)}
    />
  );
};

const Question = (props: FieldProps) => {
  const { field, fault } = props;
  const { say } = useChatting();
  const describedBy = fault ? `fault-${field.id}` : undefined;
  const name = (
    <>
      <span dir="auto">{field.label}</span> {!field.required && <small>({say('Optional')})</small>}
    </>
  );
  const said = fault && (
    <p class="fault" id={describedBy}>
      {say(fault)}
    </p>
  );
  if (['checkbox', 'radio', 'rating'].includes(field.type))
    return (
      <fieldset class="field" id={`field-${field.id}`} tabIndex={-1}>
        <legend>{name}</legend>
        <Choices {...props} describedBy={describedBy} />
        {said}
      </fieldset>
    );
  return (
    <div class="field">
      <label for={`field-${field.id}`}>{name}</label>
      <Writing {...props} describedBy={describedBy} />
      {said}
    </div>
  );
};

interface FormProps {
  form: FormShape;
  submitLabel: string;
  /** What is known already. */
  given?: Answers;
  onSubmit(answers: Answers): Promise<void>;
}

/** A form as the account drew it up. What is wrong is said at each field, and the first one is gone to. */
export const Form = ({ form: asked, submitLabel, given = {}, onSubmit }: FormProps) => {
  const { say } = useChatting();
  const form = translate(asked, say);
  const [answers, setAnswers] = useState<Answers>(given);
  const [checked, setChecked] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  const element = useRef<HTMLFormElement>(null);

  const submit = async (): Promise<void> => {
    setChecked(true);
    const wrong = form.fields.find((field) => faultOf(field, answers));
    if (wrong) return element.current?.querySelector<HTMLElement>(`[id="field-${CSS.escape(wrong.id)}"]`)?.focus();
    setBusy(true);
    setFailed(false);
    await onSubmit(answers).catch(() => setFailed(true));
    setBusy(false);
  };

  return (
    <form
      ref={element}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void submit();
      }}
    >
      {form.fields.map((field) =>
        field.type === 'header' ? (
          <p key={field.id} class="form-header" dir="auto">
            {field.label}
          </p>
        ) : (
          <Question
            key={field.id}
            field={field}
            answer={answers[field.id] ?? {}}
            fault={checked ? faultOf(field, answers) : undefined}
            change={(answer) => setAnswers({ ...answers, [field.id]: answer })}
          />
        ),
      )}
      {failed && (
        <p class="fault" role="alert">
          {say('Something_went_wrong')}
        </p>
      )}
      <button class="primary" type="submit" disabled={busy}>
        {submitLabel}
      </button>
    </form>
  );
};
