import type { Config } from '../config/config.ts'
import type { Log } from '../core/log.ts'
import type { Clock } from '../core/time/clock.ts'
import { DAY_MS, SECOND_MS } from '../core/time/time.ts'
import type { BotBook } from '../ledger/ports/bot-book.ts'
import type { Store } from '../ledger/ports/store.ts'
import { type OpenBot, openBot } from './bot.ts'
import { type OpenHistory, openHistory } from './history.ts'
import { type OpenIntel, openIntel } from './intel/intel.ts'
import { type OpenMarket, openMarket, waitForFirstData } from './market.ts'
import type { OutsideWorld } from './outside-world.ts'
import { findPolyAccount } from './poly-account.ts'
import { type OpenPrediction, openPrediction, waitForFirstMarkets } from './prediction.ts'

/** What follows the venues and trades: market, signals, prediction markets, their history, the bot, and all else that is known. */
export type Engine = {
  open: OpenMarket
  venue: OpenPrediction
  history: OpenHistory
  intel: OpenIntel
  trading: OpenBot
  /** Follows the market, and neither trades nor keeps anything: for whoever may lead soon. Once, however often it is called. */
  warm(): Promise<void>
  /** Resolves when the first data is there, or will not come soon. Likewise. */
  start(): Promise<void>
  /** Ends trading while the market is followed on. Likewise. */
  rest(): Promise<void>
  /** Likewise. */
  stop(): Promise<void>
}

type Ports = {
  config: Config
  world: OutsideWorld
  store: Pick<Store, 'bot' | 'paper' | 'demo'>
  clock: Clock
  log: Log
}

export async function openEngine({ config, world, store, clock, log }: Ports): Promise<Engine> {
  const sinceS = await lastHeardS(store.bot, clock)
  const found = findPolyAccount(config, world)
  const open = openMarket({ world, clock, log, dataDir: config.dataDir })
  const venue = openPrediction({
    ...world,
    wallet: config.polyWallet ?? ('account' in found ? found.account.wallet : undefined),
    ...{ sinceS, clock, log },
  })
  const history = openHistory({ config, clock, log, open, fiveMinute: venue.fiveMinute })
  const intel = openIntel({ config, world, open, venue, counters: store.demo, clock, log })
  const trading = openBot({ config, world, store, open, venue, clock, log })
  const warm = once(async () => {
    await Promise.all([waitForFirstData(open, clock, log), waitForFirstMarkets(venue, clock)])
  })
  const start = async () => {
    history.start()
    await Promise.all([warm(), trading.start()])
    // Prices and signals first: they are what is asked for most.
    await intel.start()
  }
  const rest = once(trading.stop)
  const stop = async () => {
    await rest()
    intel.stop()
    await history.stop()
    venue.stop()
    await open.stop()
  }
  return { ...{ open, venue, history, intel, trading, warm, rest }, start: once(start), stop: once(stop) }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let under: Promise<void> | undefined
  return () => {
    under ??= work()
    return under
  }
}

/** Outcomes of windows that ended while the service was stopped are asked for, up to a day back. */
async function lastHeardS(
  book: Pick<BotBook, 'resolutionsSince'>,
  clock: Clock,
): Promise<number | undefined> {
  const heard = await book.resolutionsSince(Math.floor((clock.now() - DAY_MS) / SECOND_MS))
  const starts = heard.map(({ windowStartS }) => windowStartS)
  return starts.length === 0 ? undefined : starts.reduce((a, b) => Math.max(a, b))
}
