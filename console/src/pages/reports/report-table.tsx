import { ScrollArea, Table } from '@mantine/core';
import { formatLabel, formatValue } from './format.ts';
import type { Shaped } from './shape.ts';

export const ReportTable = ({ shaped, label }: { shaped: Shaped; label: string }) => (
  <ScrollArea type="auto">
    <Table striped withTableBorder fz="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
      <caption style={{ captionSide: 'top', textAlign: 'left' }}>{label}</caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{shaped.heading}</Table.Th>
          {shaped.series.map(({ title }) => (
            <Table.Th key={title} scope="col" ta="right">
              {title}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {shaped.labels.map((name, index) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" fw={400}>
              {formatLabel(name)}
            </Table.Th>
            {shaped.series.map(({ title, unit, values }) => (
              <Table.Td key={title} ta="right">
                {formatValue(values[index] ?? null, unit)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </ScrollArea>
);
