import { z } from 'zod'
import { describeFault } from '../../wire-reply.ts'
import { wireText } from '../../wire-text.ts'
import { TradingError } from './trading-error.ts'

const MAX_KEY_CHARS = 200
const MAX_ID_CHARS = 200
const MAX_IDS = 1_000
const key = () => wireText(MAX_KEY_CHARS, 1)

export const KeyReply = z.object({ key: key(), secret: key(), passphrase: key() })
export const CanceledReply = z.object({ canceled: z.array(wireText(MAX_ID_CHARS)).max(MAX_IDS).nullish() })

/** A reply that breaks the format says nothing about what happened. */
export function parseReply<Wire extends z.ZodType>(
  schema: Wire,
  json: unknown,
  what: string,
): z.output<Wire> {
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  throw new TradingError('unknown', `malformed ${what}: ${describeFault(parsed.error)}`)
}
