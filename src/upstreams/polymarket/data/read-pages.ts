import { UpstreamError } from '../../upstream.ts'

export type Page<Row> = { rows: readonly Row[]; nextCursor: string | undefined }

/**
 * All rows, page after page. A cursor that comes again would go round for ever, and more pages than `maxPages` are more
 * than is kept: both reject, because half of a history adds up to wrong sums.
 */
export async function readPages<Row>(
  maxPages: number,
  read: (cursor: string | undefined) => Promise<Page<Row>>,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const { rows: more, nextCursor } = await read(cursor)
    for (const row of more) rows.push(row)
    if (nextCursor === undefined) return rows
    if (seen.has(nextCursor)) throw new UpstreamError('malformed', 'a cursor came twice')
    seen.add(nextCursor)
    cursor = nextCursor
  }
  throw new UpstreamError('busy', `more than ${maxPages} pages: ask for a shorter time`)
}
