export type Cell = string | number | boolean | null | undefined;

/** Spreadsheets treat text that starts like this as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;

const writeCell = (cell: Cell): string => {
  const text = cell === null || cell === undefined ? '' : String(cell);
  const safe = FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export const writeCsv = (rows: Cell[][]): string =>
  `${rows.map((row) => row.map(writeCell).join(',')).join('\r\n')}\r\n`;

/** Downloads a CSV file. The byte order mark makes spreadsheets read it as UTF-8. */
export const downloadCsv = (name: string, rows: Cell[][]): void => {
  const url = URL.createObjectURL(new Blob(['\uFEFF', writeCsv(rows)], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 0);
};
