import { createHmac, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { isEqual } from '../../../prediction/accounts/api-keys.ts'
import { DataError } from './data-error.ts'

/** Where the next page of a list begins: behind the row of this time and number. */
export type Place = { ts: number; sq: number }
export type Cursors = { write(type: string, place: Place): string; read(type: string, text: string): Place }

const MAX_CURSOR_CHARS = 1_000
const WireCursor = z.object({
  data: z.object({ type: z.string(), params: z.object({ ts: z.number(), sq: z.number() }) }),
  sig: z.string(),
})

/** Cursors are signed, so that only those that were given out are taken. */
export function createCursors(): Cursors {
  const key = randomBytes(32)
  const sign = (data: unknown) =>
    createHmac('sha256', key).update(JSON.stringify(data)).digest('hex').slice(0, 32)
  return {
    write(type, params) {
      const data = { type, params }
      return Buffer.from(JSON.stringify({ data, sig: sign(data) })).toString('base64url')
    },
    read(type, text) {
      const cursor = findCursor(text)
      if (cursor?.data.type !== type || !isEqual(cursor.sig, sign(cursor.data)))
        throw new DataError(400, 'invalid_cursor', 'invalid cursor')
      return cursor.data.params
    },
  }
}

function findCursor(text: string): z.infer<typeof WireCursor> | undefined {
  if (text.length > MAX_CURSOR_CHARS) return undefined
  try {
    return WireCursor.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data
  } catch {
    return undefined
  }
}
