import { ScrollArea, Table } from '@mantine/core';
import { formatLabel, formatValue } from './format.ts';
import type { ReportData } from './report-data.ts';

export const ReportTable = ({ data, label }: { data: ReportData; label: string }) => (
  <ScrollArea type="auto">
    <Table striped withTableBorder fz="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
      <caption style={{ captionSide: 'top', textAlign: 'left' }}>{label}</caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{data.heading}</Table.Th>
          {data.series.map(({ title }) => (
            <Table.Th key={title} scope="col" ta="right">
              {title}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {data.labels.map((name, index) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" fw={400}>
              {formatLabel(name)}
            </Table.Th>
            {data.series.map(({ title, unit, values }) => (
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
