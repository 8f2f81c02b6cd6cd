import { z } from 'zod'
import { COINS, type Coin } from '../../core/coin.ts'
import { demo } from '../bot/demo.ts'
import { freeTrial } from '../bot/free-trial.ts'
import { stats } from '../bot/stats.ts'
import type { ChatServices } from './services.ts'

/** The parts of free replies that the chat talks about. Their own endpoints declare and check the whole. */
const Demo = z.object({
  timestamp: z.iso.datetime(),
  live_sample: z.object({
    signals: z.array(
      z.object({
        coin: z.enum(COINS),
        direction: z.enum(['UP', 'DOWN']),
        abstain: z.boolean(),
        outcome: z.enum(['UP', 'DOWN', 'unknown']),
        window_end: z.int(),
      }),
    ),
    trending_tokens: z.array(
      z.object({ name: z.string(), price_usd: z.coerce.number(), price_change_24h: z.number() }),
    ),
  }),
})
const Trial = z.object({
  timestamp: z.iso.datetime(),
  track_record: z.object({
    predictions: z.object({
      called: z.int(),
      hits: z.int(),
      hit_rate: z.number().nullable(),
      hit_rate_low: z.number(),
      hit_rate_high: z.number(),
      hit_rate_means_little: z.boolean(),
    }),
  }),
})
const Stats = z.object({
  timestamp: z.iso.datetime(),
  account: z.enum(['paper', 'real']),
  total_trades: z.int(),
  win_rate: z.number(),
  win_rate_low: z.number(),
  win_rate_high: z.number(),
  bot_pnl_usdc: z.number(),
  fees_usdc: z.number(),
})

type Preview = Pick<ChatServices, 'preview'>
export type CoinNow = { coin: Coin; priceUsd: number; changePercent: number }
export type ClosedSignal = z.output<typeof Demo>['live_sample']['signals'][number]

export async function readMarket({ preview }: Preview) {
  const { timestamp, live_sample } = Demo.parse(await preview(demo.id))
  const coins = COINS.flatMap((coin): CoinNow | [] => {
    const now = live_sample.trending_tokens.find(({ name }) => name === coin)
    return now ? { coin, priceUsd: now.price_usd, changePercent: now.price_change_24h } : []
  })
  return { asOf: timestamp, coins, closed: live_sample.signals }
}

export async function readTrackRecord({ preview }: Preview) {
  const { timestamp, track_record } = Trial.parse(await preview(freeTrial.id))
  return { asOf: timestamp, ...track_record.predictions }
}

export async function readResults({ preview }: Preview) {
  const { timestamp, ...rest } = Stats.parse(await preview(stats.id))
  return { asOf: timestamp, ...rest }
}
