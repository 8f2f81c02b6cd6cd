import { z } from 'zod'
import { COINS, type Coin } from '../../core/coin.ts'
import type { OracleTick, PriceKind } from '../events.ts'
import { isSaneTime } from '../sane-time.ts'

// Polymarket's live price service ("PolyBolt"), protocol version 1.

const TWAP_WINDOW_S = 60
const CHANNEL_BY_KIND = { twap_60s: 'price.crypto.twap', spot: 'price.crypto' } as const satisfies Record<
  PriceKind,
  string
>

export type PolyBoltKeys = { apiKey: string; secret: string; passphrase: string }

/** A frame of the service: the reply to an operation, or prices. */
export type PolyBoltFrame =
  | { type: 'reply'; op: string; code: string | undefined }
  | { type: 'prices'; channel: string; seq: number; isSnapshot: boolean; ticks: readonly OracleTick[] }

export function authFrame(auth: PolyBoltKeys): string {
  return JSON.stringify({ op: 'auth', rid: 'auth', auth })
}

/** Both kinds of price for every coin. */
export function subscribeFrame(): string {
  const subscriptions = COINS.map(symbolOf).flatMap((symbol) => [
    { channel: CHANNEL_BY_KIND.spot, filter: { symbol } },
    { channel: CHANNEL_BY_KIND.twap_60s, filter: { symbol, window_seconds: TWAP_WINDOW_S } },
  ])
  return JSON.stringify({ op: 'subscribe', rid: 'subscribe', subscriptions })
}

/** Undefined for a frame that breaks the format. */
export function findPolyBoltFrame(text: string, nowMs: number): PolyBoltFrame | undefined {
  const json = findJson(text)
  const reply = Reply.safeParse(json)
  if (reply.success) return { type: 'reply', op: reply.data.op, code: reply.data.code }
  const prices = Prices.safeParse(json)
  if (!prices.success) return undefined
  const { channel, seq, snapshot = false, payload } = prices.data
  const ticks = toTicks(channel, payload)
  if (!ticks.every(({ atMs }) => isSaneTime(atMs, nowMs))) return undefined
  return { type: 'prices', channel, seq, isSnapshot: snapshot, ticks }
}

const Reply = z.object({ op: z.string(), code: z.string().optional() })
const Value = z.object({ timestamp: z.int().positive(), value: z.number().positive() })
const Subject = { symbol: z.string(), window_seconds: z.number().optional() }
const Payload = z.union([
  z.object({ ...Subject, data: z.array(Value) }),
  z.object({ ...Subject, ...Value.shape }).transform(({ symbol, window_seconds, timestamp, value }) => ({
    symbol,
    window_seconds,
    data: [{ timestamp, value }],
  })),
])
const Prices = z.object({
  channel: z.string(),
  seq: z.int().positive(),
  snapshot: z.boolean().optional(),
  payload: Payload,
})

const assetBySymbol: ReadonlyMap<string, Coin> = new Map(COINS.map((coin) => [symbolOf(coin), coin]))

function symbolOf(coin: Coin): string {
  return `${coin.toLowerCase()}usd`
}

function toTicks(channel: string, payload: z.output<typeof Payload>): OracleTick[] {
  const coin = assetBySymbol.get(payload.symbol)
  const kind = kindOf(channel, payload.window_seconds)
  if (!coin || !kind) return []
  return payload.data.map(({ timestamp, value }) => ({
    coin,
    kind,
    price: value,
    source: 'polybolt',
    atMs: timestamp,
  }))
}

function kindOf(channel: string, windowS: number | undefined): PriceKind | undefined {
  if (channel === CHANNEL_BY_KIND.spot) return 'spot'
  return channel === CHANNEL_BY_KIND.twap_60s && windowS === TWAP_WINDOW_S ? 'twap_60s' : undefined
}

function findJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
