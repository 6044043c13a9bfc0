import { Button, Menu, Stack, Switch } from '@mantine/core';
import { useMemo } from 'react';
import { type getGroupForm, setGroupForm } from '#contracts/configuration/forms.ts';
import type { ResponseOf } from '#contracts/operation.ts';
import { call } from '../../../api/call.ts';
import { ConfirmButton } from '../../../design/confirm-button.tsx';
import { ErrorText } from '../../../design/form.tsx';
import { Icon } from '../../../design/icon.tsx';
import { EditForm } from '../../../editing/edit-form.tsx';
import { moveItem } from '../../../editing/move-buttons.tsx';
import { useEditing } from '../../../editing/use-editing.ts';
import { t } from '../t.ts';
import { FieldCard } from './field-card.tsx';
import {
  addableTypes,
  checkFields,
  FIELD_TYPES,
  type FormType,
  newField,
  readForm,
  writeFields,
} from './form-draft.ts';
import classes from './forms.module.css';

const MAX_FIELDS = 50;

export const formKey = (group: number, type: FormType) => ['forms', group, type] as const;

interface FormEditorProps {
  group: number;
  type: FormType;
  setting: ResponseOf<typeof getGroupForm>;
}

export const FormEditor = ({ group, type, setting }: FormEditorProps) => {
  const saved = useMemo(() => readForm(setting.enabled, setting.form), [setting]);
  const refetch = [formKey(group, type)];
  const editing = useEditing({
    saved,
    check: ({ enabled, fields }) => (enabled ? checkFields(fields) : {}),
    save: ({ enabled, fields }) =>
      call(setGroupForm, { body: { group_id: group, type, enabled, fields: writeFields(fields) } }),
    refetch,
  });
  const restore = async (): Promise<void> => {
    const { enabled } = setting;
    await call(setGroupForm, { body: { group_id: group, type, enabled, fields: null } });
    editing.reset();
  };
  const { draft, change, flag, errorFor } = editing;
  const { fields } = draft;
  return (
    <EditForm
      editing={editing}
      aside={
        <ConfirmButton
          label={t('restoreDefaults')}
          question={t('restoreTheDefaultFields')}
          onConfirm={restore}
          refetch={refetch}
          notice={t('defaultFieldsRestored')}
        >
          {t('theFieldsOfThisForm')}
        </ConfirmButton>
      }
    >
      <Stack gap="md" maw={720}>
        <Switch label={t('enableForm')} {...flag('enabled')} />
        <ol className={classes.fields} aria-label={t('fields')}>
          {fields.map((field, index) => (
            <FieldCard
              key={field.id}
              field={field}
              index={index}
              count={fields.length}
              onChange={(changed) => change({ fields: fields.map((one) => (one.id === field.id ? changed : one)) })}
              onMove={(to) => change({ fields: moveItem(fields, index, to) })}
              onRemove={() => change({ fields: fields.filter(({ id }) => id !== field.id) })}
              errorFor={(name) => errorFor(`fields.${index}.${name}`)}
            />
          ))}
        </ol>
        <ErrorText>{errorFor('fields')}</ErrorText>
        <Menu position="bottom-start" shadow="md">
          <Menu.Target>
            <Button
              variant="default"
              leftSection={<Icon name="plus" size={16} />}
              disabled={fields.length >= MAX_FIELDS}
              style={{ alignSelf: 'flex-start' }}
            >
              {t('addField')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {addableTypes(type, fields).map((kind) => (
              <Menu.Item key={kind} onClick={() => change({ fields: [...fields, newField(kind)] })}>
                {FIELD_TYPES[kind]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Stack>
    </EditForm>
  );
};
