import { UpstreamError } from '../../upstream.ts'

export type Page<Row> = { rows: readonly Row[]; nextCursor: string | undefined }

type ReadPage<Row> = (cursor: string | undefined) => Promise<Page<Row>>

/** All rows. More pages than `maxPages` reject, because half of them adds up to wrong sums. */
export async function readPages<Row>(maxPages: number, read: ReadPage<Row>): Promise<readonly Row[]> {
  const { rows, isWhole } = await readFirstPages(maxPages, read)
  if (isWhole) return rows
  throw new UpstreamError('busy', `more than ${maxPages} pages: ask for a shorter time`)
}

/** Page after page up to `maxPages`. A cursor that comes again would go round for ever: it rejects. */
export async function readFirstPages<Row>(
  maxPages: number,
  read: ReadPage<Row>,
): Promise<{ rows: readonly Row[]; isWhole: boolean }> {
  const rows: Row[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const { rows: more, nextCursor } = await read(cursor)
    for (const row of more) rows.push(row)
    if (nextCursor === undefined) return { rows, isWhole: true }
    if (seen.has(nextCursor)) throw new UpstreamError('malformed', 'a cursor came twice')
    seen.add(nextCursor)
    cursor = nextCursor
  }
  return { rows, isWhole: false }
}
