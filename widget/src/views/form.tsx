/** @jsxImportSource preact */
import { useRef, useState } from 'preact/hooks';
import type { Form as FormShape } from '#contracts/customer/forms.ts';
import { type Answers, type Field, optionsOf, translate, validateField } from '../chat/forms.ts';
import { Icon } from './icons.tsx';
import { useWidget } from './use-widget.ts';

interface FieldProps {
  field: Field;
  answer: Answers[string];
  error: string | undefined;
  change(answer: Answers[string]): void;
}

const MAX_LENGTHS: Partial<Record<Field['type'], number>> = { name: 200, email: 254, subject: 500, textarea: 16384 };

const Choices = ({ field, answer, change, describedBy }: FieldProps & { describedBy: string | undefined }) => {
  const { t } = useWidget();
  const { chosen = [] } = answer;
  const many = field.type === 'checkbox';
  const toggle = (id: string, on: boolean): void =>
    change({ ...answer, chosen: [...(many ? chosen.filter((one) => one !== id) : []), ...(on ? [id] : [])] });
  return (
    <div class={field.type === 'rating' ? 'rating' : 'choices'} aria-describedby={describedBy}>
      {optionsOf(field, t).map(({ id, label }) => (
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

const TextField = ({ field, answer, error, change, describedBy }: FieldProps & { describedBy: string | undefined }) => {
  const { t } = useWidget();
  const shared = {
    id: `field-${field.id}`,
    required: !!field.required,
    'aria-invalid': !!error,
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
        <option value="">{t(field.type === 'select' ? 'Choose_option' : 'Choose_group')}</option>
        {field.options?.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
    );
  const text = { ...shared, value: answer.text ?? '', maxLength: MAX_LENGTHS[field.type] ?? 4096 };
  if (field.type === 'textarea')
    return <textarea {...text} rows={4} onInput={({ currentTarget }) => write(currentTarget.value)} />;
  const autoComplete = field.type === 'email' || field.type === 'name' ? field.type : 'off';
  return (
    <input
      {...text}
      type="text"
      inputMode={field.type === 'email' ? 'email' : 'text'}
      autoComplete={autoComplete}
      onInput={({ currentTarget }) => write(currentTarget.value)}
    />
  );
};

const FormField = (props: FieldProps) => {
  const { field, error } = props;
  const { t } = useWidget();
  const describedBy = error ? `error-${field.id}` : undefined;
  const name = (
    <>
      <span dir="auto">{field.label}</span> {!field.required && <small>({t('Optional')})</small>}
    </>
  );
  const errorText = error && (
    <p class="error" id={describedBy}>
      {t(error)}
    </p>
  );
  if (['checkbox', 'radio', 'rating'].includes(field.type))
    return (
      <fieldset class="field" id={`field-${field.id}`} tabIndex={-1}>
        <legend>{name}</legend>
        <Choices {...props} describedBy={describedBy} />
        {errorText}
      </fieldset>
    );
  return (
    <div class="field">
      <label for={`field-${field.id}`}>{name}</label>
      <TextField {...props} describedBy={describedBy} />
      {errorText}
    </div>
  );
};

interface FormProps {
  form: FormShape;
  submitLabel: string;
  /** Prefilled answers. */
  initialAnswers?: Answers;
  onSubmit(answers: Answers): Promise<void>;
}

/** A form of the account. Errors are shown at their fields, and the first invalid field gets the focus. */
export const Form = ({ form: definition, submitLabel, initialAnswers = {}, onSubmit }: FormProps) => {
  const { t } = useWidget();
  const form = translate(definition, t);
  const [answers, setAnswers] = useState<Answers>(initialAnswers);
  const [checked, setChecked] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  const element = useRef<HTMLFormElement>(null);

  const submit = async (): Promise<void> => {
    setChecked(true);
    const wrong = form.fields.find((field) => validateField(field, answers));
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
          <FormField
            key={field.id}
            field={field}
            answer={answers[field.id] ?? {}}
            error={checked ? validateField(field, answers) : undefined}
            change={(answer) => setAnswers({ ...answers, [field.id]: answer })}
          />
        ),
      )}
      {failed && (
        <p class="error" role="alert">
          {t('Something_went_wrong')}
        </p>
      )}
      <button class="primary" type="submit" disabled={busy}>
        {submitLabel}
      </button>
    </form>
  );
};
