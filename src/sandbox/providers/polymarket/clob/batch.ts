import { isObject } from '../../json-frame.ts'
import { json, ok, type Reply } from '../../reply.ts'

/** Tokens that one request may name. */
export const MAX_BATCH = 500
const INVALID = json(400, { error: 'Invalid payload' })
const TOO_MANY = json(400, { error: 'Payload exceeds the limit' })

export type BatchItem = { token_id: string; side: unknown }

/** A POST that names tokens: `[{"token_id": "…", "side": "BUY"}]`. */
export function answerBatch(body: Buffer, answer: (items: readonly BatchItem[]) => unknown): Reply {
  const items = parseItems(body)
  if (!items) return INVALID
  if (items.length > MAX_BATCH) return TOO_MANY
  return ok(answer(items))
}

/** One entry per token for which there is a value. */
export function byToken<T>(
  items: readonly BatchItem[],
  find: (item: BatchItem) => T | undefined,
): Readonly<Record<string, T>> {
  return Object.fromEntries(
    items.flatMap((item) => {
      const value = find(item)
      return value === undefined ? [] : [[item.token_id, value] as const]
    }),
  )
}

function parseItems(body: Buffer): readonly BatchItem[] | undefined {
  let list: unknown
  try {
    list = JSON.parse(body.toString())
  } catch {
    return undefined
  }
  if (!Array.isArray(list)) return undefined
  const items: BatchItem[] = []
  for (const item of list.slice(0, MAX_BATCH + 1)) {
    if (!isObject(item) || typeof item.token_id !== 'string') return undefined
    items.push({ token_id: item.token_id, side: item.side })
  }
  return items
}
