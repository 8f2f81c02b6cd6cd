import { z } from 'zod'
import { describeFault } from '../../wire/reply.ts'
import { wireArray, wireText } from '../../wire/text.ts'
import { TradingError } from './trading-error.ts'

const MAX_KEY_CHARS = 200
const MAX_ID_CHARS = 200
const MAX_IDS = 1_000
const key = () => wireText(MAX_KEY_CHARS, 1)

/** Requests are signed with the bytes that it stands for; the client throws where it stands for none. */
const isBase64 = (text: string) => /^[\w+/-]+={0,2}$/.test(text) && text.replace(/=+$/, '').length % 4 !== 1

export const KeyReply = z.object({
  key: key(),
  secret: key().refine(isBase64, 'expected base64'),
  passphrase: key(),
})

const CanceledReply = z.object({
  canceled: wireArray(wireText(MAX_ID_CHARS), MAX_IDS).nullish(),
  /** By id, why it was not. */
  not_canceled: z.record(wireText(MAX_ID_CHARS), z.unknown()).nullish(),
})

/** Whether an order was canceled. A reply that does not name it says neither. */
export function readCanceled(json: unknown, orderId: string): boolean {
  const { canceled, not_canceled } = parseReply(CanceledReply, json, 'cancellation')
  const isNamed = (ids: readonly string[]) => ids.some((id) => id.toLowerCase() === orderId)
  if (isNamed(canceled ?? [])) return true
  if (isNamed(Object.keys(not_canceled ?? {}))) return false
  throw new TradingError('unknown', 'the reply does not name the order')
}

/** A reply that breaks the format says nothing about what happened. */
export function parseReply<Wire extends z.ZodType>(
  schema: Wire,
  json: unknown,
  what: string,
): z.output<Wire> {
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  throw new TradingError('malformed', `malformed ${what}: ${describeFault(parsed.error)}`)
}
