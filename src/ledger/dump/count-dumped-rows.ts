import { runTool } from './pg-tools.ts'

const BEGINS = /^COPY (?:"?[^".]+"?\.)?"?(\w+)"? \(/
const ENDS = '\\.'

/** Rows of each table in a dump, by reading all of it: what is cut off or damaged does not get this far. */
export async function countDumpedRows(dump: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  let table: string | undefined
  await runTool('pg_restore', {
    args: ['--data-only', '--file=-', dump],
    onLine(line) {
      if (table === undefined) {
        table = BEGINS.exec(line)?.[1]
        if (table !== undefined) counts.set(table, 0)
      } else if (line === ENDS) table = undefined
      else counts.set(table, (counts.get(table) ?? 0) + 1)
    },
  })
  return counts
}
