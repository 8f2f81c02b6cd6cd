import { z } from 'zod'
import { COINS, type Coin } from '../../core/coin.ts'
import type { FeedsHealth } from '../../feeds/feeds.ts'
import { BotValue, RecordValue, SettledTrades } from './bot-value.ts'
import { ActivityValue, ListValue, PositionsValue } from './bulk-values.ts'
import { number, shape } from './shape.ts'
import { SignalValue } from './signal-value.ts'
import { KnownMarkets, Streams, VenueHealth, WindowValue } from './window-value.ts'

/** What is told as a whole whenever it has changed: of each coin, or once. */
const OF_COINS = { signal: SignalValue, window: WindowValue, known: KnownMarkets } as const
const ONCE = {
  venue: VenueHealth,
  feeds: shape<FeedsHealth>()({
    streams: Streams,
    unreadable: z.object({ binance: number, coinbase: number }),
  }),
  list: ListValue,
  activity: ActivityValue,
  positions: PositionsValue,
  bot: BotValue,
  record: RecordValue,
  settled: SettledTrades,
} as const

type OfCoins = { [K in keyof typeof OF_COINS as `${K}:${Coin}`]: z.output<(typeof OF_COINS)[K]> }
type Once = { [K in keyof typeof ONCE]: z.output<(typeof ONCE)[K]> }
/** Every value by its name. */
export type Values = OfCoins & Once
export type ValueName = keyof Values

const shapes: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ...Object.entries(OF_COINS).flatMap(([kind, schema]) =>
    COINS.map((coin): [string, z.ZodType] => [`${kind}:${coin}`, schema]),
  ),
  ...Object.entries(ONCE),
])

/** Undefined for a name that is not ours. */
export const findShape = (name: string): z.ZodType | undefined => shapes.get(name)

/** The part of the state that has all of them. */
export const VALUES_PART = 'values'
