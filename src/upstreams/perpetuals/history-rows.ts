import { z } from 'zod'
import { readRows } from '../wire/list.ts'
import { wireArray } from '../wire/text.ts'

/** Two weeks of hourly rates are 336. */
const MAX_ROWS = 2_000

/** The rows of a history that keep the format; refused when most do not. */
export const historyRows = <Row extends z.ZodType>(row: Row) =>
  wireArray(z.unknown(), MAX_ROWS).transform((rows, { issues }): readonly z.output<Row>[] => {
    const read = readRows(rows, row)
    if (read.isBroken)
      issues.push({
        code: 'custom',
        message: `most rows break the format: ${read.skipped.reasons[0]}`,
        input: undefined,
      })
    return read.rows
  })
