import { silentLog } from '../../../src/core/log.ts'
import type { Clock } from '../../../src/core/time/clock.ts'
import type { PlannedOrder } from '../../../src/ledger/ports/bot-book.ts'
import type { PaperOrder } from '../../../src/ledger/ports/paper-book.ts'
import type { Seeded } from '../../../src/testing/seeded.ts'
import type { Timeline, Trace } from '../../simulation/timeline.ts'
import type { SimBooks } from './books.ts'
import type { BotCode } from './bot-code.ts'
import type { SimDisk } from './disk.ts'
import { createGuard } from './guard.ts'
import type { Killer } from './killer.ts'
import type { SimMarkets } from './markets.ts'
import type { Outcomes } from './outcomes.ts'
import type { Weather } from './storm.ts'
import { createSimTrading } from './trading.ts'
import type { SimVenue } from './venue.ts'
import { createMarketView, createSignalView } from './view.ts'

export type ProcessWorld = {
  seed: number
  timeline: Timeline
  random: Seeded
  weather: Weather
  markets: SimMarkets
  books: SimBooks
  venue: SimVenue
  disk: SimDisk
  code: BotCode
  killer: Killer
  outcomes: Outcomes
  startCashE6: bigint
  endS: number
  /** Told before anything is written. */
  onPlan(order: PlannedOrder): void
  onPaper(order: PaperOrder): void
  trace: Trace
}
export type SimProcess = {
  bot: ReturnType<BotCode['createBot']>
  isAlive(): boolean
  /** Once it has reconciled with the venue. */
  isUp: boolean
  upSinceMs: number
}

const CLOCK_ERROR_MS = 300
const WRONG_BY_MS = 5_000

/** One life of the bot: real code on ports that stop answering for ever when it is killed. */
export function startProcess(world: ProcessWorld, onDeath: (isKilled: boolean) => void): SimProcess {
  const { timeline, disk, code, outcomes } = world
  const guard = createGuard(world, (isKilled) => {
    disk.crash()
    onDeath(isKilled)
  })
  const clock = createClock(world, guard.isAlive)
  const stored = code.createMemoryBotBook(disk.bot, disk.commit)
  const book = guard.book({
    ...stored,
    planOrder: (...given: Parameters<typeof stored.planOrder>) => {
      world.onPlan(given[0])
      return stored.planOrder(...given)
    },
  })
  const paperStored = code.createMemoryPaperBook(disk.paper, disk.commit)
  const paperBook = guard.book({
    ...paperStored,
    add: (order: PaperOrder) => {
      world.onPaper(order)
      return paperStored.add(order)
    },
  })
  const { trading, relayer, web, data, payoutOf: payoutAt, wallet } = createSimTrading(world)
  const venue = guard.port(trading)
  const { payoutOf } = guard.port({ payoutOf: payoutAt })
  const view = createMarketView(world, clock)
  const paper = code.createPaperBroker({
    ...{ clock, book: paperBook, markets: view, payoutOf },
    startCashE6: world.startCashE6,
    serverTimeMs: venue.serverTimeMs,
  })
  const polymarket = code.createPolymarketBroker({
    ...{ clock, log: silentLog, trading: venue, payoutOf, wallet },
    relayer: { ...guard.port(relayer), close() {} },
    web: guard.port(web),
    data: guard.port(data),
  })
  const bot = code.createBot({
    ...{ clock, book, log: silentLog, brokers: { paper, polymarket }, whyNoLive: '' },
    signals: createSignalView(world, clock),
    markets: { ...view, onResolved: (listener) => outcomes.onResolved(listener, guard.isAlive) },
    findOutcome: (coin, startS) =>
      guard.call('findOutcome', [coin, startS], () => outcomes.find(coin, startS)),
  })
  const process: SimProcess = {
    bot,
    isAlive: guard.isAlive,
    isUp: false,
    upSinceMs: Number.POSITIVE_INFINITY,
  }
  bot.start().then(
    () => {
      process.isUp = true
      process.upSinceMs = timeline.now()
      world.trace?.('process: up')
    },
    // A service that cannot read its ledger ends, and is started again.
    guard.die,
  )
  return process
}

/** Ours is never quite right, and in some minutes quite wrong. */
function createClock({ timeline, random, weather }: ProcessWorld, isAlive: () => boolean): Clock {
  const errorMs = random.between(-CLOCK_ERROR_MS, CLOCK_ERROR_MS)
  const sign = random.pick([-1, 1])
  const after = (ms: number, task: () => void) => timeline.after(ms, () => isAlive() && task())
  return {
    now: () => timeline.now() + errorMs + (weather.is('clockWrong', timeline.now()) ? sign * WRONG_BY_MS : 0),
    after,
    every(ms, task) {
      let cancel = () => {}
      const again = () => {
        cancel = after(ms, () => {
          again()
          task()
        })
      }
      again()
      return () => cancel()
    },
  }
}
