import { Button, Popover, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { updateCustomer } from '#contracts/agent/customers.ts';
import { call } from '../../api/call.ts';
import { Form } from '../../design/form.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { useAction } from '../../design/use-action.ts';
import { t } from './t.ts';

interface EditCustomerProps {
  id: string;
  name: string | undefined;
  email: string | undefined;
}

export const EditCustomer = ({ id, name = '', email = '' }: EditCustomerProps) => {
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const [values, setValues] = useState({ name, email });
  const saving = useAction(() => call(updateCustomer, { body: { id, ...values } }).then(close));
  return (
    <Popover opened={isOpen} onClose={close} trapFocus position="bottom-end" shadow="md" width={260}>
      <Popover.Target>
        <IconButton
          icon="note"
          iconSize={18}
          label={t('editNameAndEmail')}
          aria-expanded={isOpen}
          onClick={() => {
            setValues({ name, email });
            toggle();
          }}
        />
      </Popover.Target>
      <Popover.Dropdown>
        <Form onSubmit={() => saving.mutate()}>
          <Stack gap="xs">
            <TextInput
              label={t('name')}
              value={values.name}
              maxLength={255}
              onChange={(event) => setValues({ ...values, name: event.currentTarget.value })}
            />
            <TextInput
              label={t('email')}
              type="email"
              value={values.email}
              maxLength={254}
              onChange={(event) => setValues({ ...values, email: event.currentTarget.value })}
            />
            <Button type="submit" size="xs" loading={saving.isPending}>
              {t('save')}
            </Button>
          </Stack>
        </Form>
      </Popover.Dropdown>
    </Popover>
  );
};
