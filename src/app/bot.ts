import { createBot, type RunningBot } from '../bot/create-bot.ts'
import { createResults, type Results } from '../bot/results/results.ts'
import type { Config } from '../config/config.ts'
import type { Log } from '../core/log.ts'
import type { Clock } from '../core/time/clock.ts'
import type { Store } from '../ledger/ports/store.ts'
import { createPublicBot, type PublicBot } from '../products/bot/public-bot.ts'
import { findOutcome } from '../upstreams/polymarket/find-outcome.ts'
import type { UpstreamCounters } from '../upstreams/upstream.ts'
import { type BotBrokers, openBotBrokers } from './bot-brokers.ts'
import type { OpenMarket } from './market.ts'
import type { OutsideWorld } from './outside-world.ts'
import type { OpenPrediction } from './prediction.ts'

type SettledTrade = Parameters<Results['add']>[0]

/** The bot with its brokers, and what came of its trades. */
export type OpenBot = {
  bot: RunningBot
  publicBot: PublicBot
  brokers: BotBrokers['brokers']
  results: Results
  counters(): readonly UpstreamCounters[]
  /** Hears of each trade whose result is in the ledger, after `results` has. */
  onSettled(listener: (trade: SettledTrade) => void): void
  /** Reads the ledger; then the bot reconciles and trades by itself. */
  start(): Promise<void>
  stop(): Promise<void>
}

type Ports = {
  config: Config
  world: Pick<OutsideWorld, 'upstreams' | 'prediction'>
  store: Pick<Store, 'bot' | 'paper'>
  open: Pick<OpenMarket, 'signals'>
  venue: Pick<OpenPrediction, 'fiveMinute' | 'lookup'>
  clock: Clock
  log: Log
}

export function openBot({ config, world, store, open, venue, clock, log }: Ports): OpenBot {
  const markets = venue.fiveMinute
  const results = createResults({ book: store.bot, clock, log })
  const { brokers, data, whyNoLive, counters, close } = openBotBrokers({
    ...{ config, world, markets, clock, log },
    book: store.paper,
  })
  let tellSettled: (trade: SettledTrade) => void = () => {}
  const bot = createBot({
    ...{ clock, log, brokers, whyNoLive, markets },
    book: store.bot,
    signals: open.signals,
    findOutcome: (coin, windowStartS) => findOutcome({ gamma: venue.lookup, data }, coin, windowStartS),
    onSettled(trade) {
      results.add(trade)
      tellSettled(trade)
    },
  })
  return {
    bot,
    publicBot: createPublicBot({ clock, bot, book: store.bot }),
    brokers,
    results,
    counters,
    onSettled(listener) {
      tellSettled = listener
    },
    async start() {
      await Promise.all([results.load(), bot.start()])
    },
    async stop() {
      await bot.stop()
      await results.idle()
      close()
    },
  }
}
