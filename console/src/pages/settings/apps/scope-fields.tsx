import { Checkbox, Table, Text } from '@mantine/core';
import { ErrorText } from '../../../design/form.tsx';
import { t } from '../t.ts';
import { AREAS, type Scope } from './scopes.ts';

interface ScopeFieldsProps {
  value: Scope[];
  onChange(scopes: Scope[]): void;
  error?: string | undefined;
}

const RIGHTS = [
  { suffix: 'read', label: t('scope.readColumn') },
  { suffix: 'write', label: t('write') },
] as const;

export const ScopeFields = ({ value, onChange, error }: ScopeFieldsProps) => {
  const toggle = (scope: Scope, isOn: boolean): void =>
    onChange(isOn ? [...value, scope] : value.filter((one) => one !== scope));
  return (
    <div>
      <Text size="sm" fw={600}>
        {t('permissions')}
      </Text>
      <Table maw={420} aria-label={t('permissions')} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('area')}</Table.Th>
            {RIGHTS.map(({ suffix, label }) => (
              <Table.Th key={suffix} scope="col">
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {AREAS.map(({ area, label }) => (
            <Table.Tr key={area}>
              <Table.Th scope="row" fw={400}>
                {label}
              </Table.Th>
              {RIGHTS.map(({ suffix }) => (
                <Table.Td key={suffix}>
                  <Checkbox
                    aria-label={
                      suffix === 'read' ? t('scope.read', { area: label }) : t('scope.write', { area: label })
                    }
                    checked={value.includes(`${area}_${suffix}`)}
                    onChange={({ currentTarget }) => toggle(`${area}_${suffix}`, currentTarget.checked)}
                  />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <ErrorText>{error}</ErrorText>
    </div>
  );
};
