import { expect, test } from 'vitest'
import { toCsv } from './csv.ts'

test('a table with quotes, commas, new lines and what is not known', () => {
  expect(
    toCsv(
      ['a', 'b'],
      [
        ['x "y", z\n', 0.5],
        [null, -1],
      ],
    ),
  ).toBe('"a","b"\r\n"x ""y"", z\n",0.5\r\n,-1\r\n')
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '=cmd|" /C calc"!A0'])(
  'a spreadsheet does not run %j',
  (text) => {
    const cell = toCsv([], [[text]])
      .split('\r\n')
      .slice(1)
      .join('\r\n')
    expect(cell.startsWith(`"'${text[0]}`)).toBe(true)
  },
)
