import { DEFAULT_CONFIG, type TradingConfig } from '../../../src/bot/trading-config.ts'
import { COINS } from '../../../src/core/coin.ts'
import { usd } from '../../../src/core/money.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/core/time/time.ts'
import { WINDOW_S } from '../../../src/core/time/window.ts'
import type { BrokerName } from '../../../src/ledger/ports/bot-book.ts'
import { createSeeded } from '../../../src/testing/seeded.ts'
import { createTimeline, type Trace } from '../../simulation/timeline.ts'
import { accountOf } from './account.ts'
import { createSimBooks } from './books.ts'
import { type BotCode, realCode } from './bot-code.ts'
import { createSimDisk, type SimDisk } from './disk.ts'
import { findViolations } from './invariants.ts'
import { createKiller } from './killer.ts'
import { createSimMarkets } from './markets.ts'
import { startOperator } from './operator.ts'
import { createOutcomes } from './outcomes.ts'
import { auditPaper } from './paper-audit.ts'
import { auditPlan } from './plan-audit.ts'
import { type SimProcess, startProcess } from './process.ts'
import { CALM, createWeather, ROUGH } from './storm.ts'
import { type Counts, count, tell } from './tally.ts'
import { createSimVenue } from './venue.ts'
import { createSignalView } from './view.ts'
import type { Violation } from './violation.ts'

export type WeekOptions = {
  broker: BrokerName
  windows: number
  kills: number
  /** All faults on, and an operator who trades by hand. */
  isRough: boolean
  /** Ends with the first promise that is broken. */
  isBrief?: boolean
  code?: BotCode
  trace?: (line: string) => void
}
export type WeekResult = {
  seed: number
  violations: readonly Violation[]
  /** Of every row of the ledger. */
  digest: string
  counts: Counts
  profitUsd: number
}

/** A Monday, so that a week has seven whole days in UTC. */
const START_S = 1_767_571_200
const START_CASH = usd('400')
/** The latest outcome comes hours after the last window; everything is over soon after it. */
const SETTLES_WITHIN_MS = 6 * HOUR_MS
const STOPS_WITHIN_MS = 5 * MINUTE_MS
/** More would be a sign of a simulation that does not end. */
const SHOWN = 50

export async function runWeek(seed: number, options: WeekOptions): Promise<WeekResult> {
  const { broker, windows, kills, isRough, code = realCode } = options
  const random = createSeeded(seed)
  const timeline = createTimeline(START_S * 1000 - MINUTE_MS)
  const trace: Trace =
    options.trace && ((line) => options.trace?.(`${new Date(timeline.now()).toISOString()} ${line}`))
  const storm = isRough ? ROUGH : CALM
  const weather = createWeather(seed, storm)
  const markets = createSimMarkets(seed, storm)
  const books = createSimBooks(seed, markets)
  const endS = START_S + windows * WINDOW_S
  const basics = { seed, timeline, random, weather, markets, books, code, trace, endS }
  const venue = createSimVenue({ ...basics, startCashE6: START_CASH })
  const disk = createSimDisk(basics)
  const config = configOf(broker)
  await writeConfig(disk, code, config)
  const violations: Violation[] = []
  const note = (violation: Violation) => {
    trace?.(`BROKEN ${violation.rule}: ${violation.subject}`)
    if (violations.length < SHOWN) violations.push(violation)
  }
  const killer = createKiller(basics, { kills, fromMs: START_S * 1000, toMs: endS * 1000 - 30 * MINUTE_MS })
  const audit = {
    ...{ ...basics, disk, config, broker },
    signalAt: (coin: Parameters<typeof markets.of>[0], atMs: number) => trueSignal(basics, coin, atMs),
  }
  const outcomes = createOutcomes(basics, { startS: START_S, endS })
  const world = {
    ...{ ...basics, venue, disk, killer, outcomes, startCashE6: START_CASH },
    onPlan: (...given: Parameters<Parameters<typeof startProcess>[0]['onPlan']>) => {
      trace?.(
        `bot: plans ${given[0].clientOrderId} ${given[0].side} ${given[0].spendE6} at ${given[0].priceE4}`,
      )
      auditPlan(audit, ...given).forEach(note)
    },
    onPaper: (order: Parameters<typeof auditPaper>[1]) => auditPaper(audit, order).forEach(note),
  }
  let process: SimProcess | undefined
  const boot = () => {
    process = startProcess(world, (isKilled) => {
      trace?.(isKilled ? 'process: killed' : 'process: ended')
      if (isKilled) killer.next()
      const downMs = random.chance(0.1)
        ? random.between(1, 15) * MINUTE_MS
        : random.between(0, 20) * SECOND_MS
      timeline.after(downMs, boot)
    })
  }
  boot()
  startOperator({ ...basics, process: () => process, isBusy: isRough, endMs: endS * 1000, note })
  timeline.after((endS + WINDOW_S) * 1000 - timeline.now(), weather.calm)
  const lastMs = endS * 1000 + SETTLES_WITHIN_MS
  const isEnough = () => options.isBrief === true && violations.length > 0
  await timeline.run(() => isEnough() || timeline.now() > (isOver(disk) ? endS * 1000 + HOUR_MS : lastMs))
  const kept = { seed, violations, ...tell(disk), counts: count(disk, killer.kills, timeline.events()) }
  if (isEnough()) return kept
  let isStopped = false
  void process?.bot.stop().then(() => {
    isStopped = true
  })
  const stopMs = timeline.now()
  await timeline.run(() => isStopped || timeline.now() > stopMs + STOPS_WITHIN_MS)
  if (!isStopped) note({ rule: 'it stops', subject: new Date(stopMs).toISOString() })
  const account = accountOf({ broker, venue, disk, markets, startCashE6: START_CASH })
  const isWon = (tokenId: string) => {
    const market = markets.ofToken(tokenId)
    return market?.token === market?.outcome
  }
  findViolations({ broker, disk, account, startCashE6: START_CASH, config, isWon }).forEach(note)
  // A process that nobody kills and whose ledger works has something to say about every window.
  if (kills === 0 && !isRough) missingDecisions(disk, windows).forEach(note)
  return kept
}

function missingDecisions({ bot }: SimDisk, windows: number): Violation[] {
  const keys = Array.from({ length: windows }, (_, at) => START_S + at * WINDOW_S).flatMap((startS) =>
    COINS.map((coin) => `${startS} ${coin}`),
  )
  return keys.flatMap((subject) =>
    bot.decisionsOf.has(subject) ? [] : { rule: 'every window and coin has a decision', subject },
  )
}

const isOver = ({ bot }: SimDisk) =>
  bot.open.size === 0 && bot.unsettled.size === 0 && bot.winningShares.size === 0

const configOf = (broker: BrokerName): TradingConfig => ({
  ...DEFAULT_CONFIG,
  simMode: broker === 'paper',
  maxTradesPerDay: 150,
  maxConsecutiveLosses: 4,
})

async function writeConfig(disk: SimDisk, code: BotCode, config: TradingConfig): Promise<void> {
  const book = code.createMemoryBotBook(disk.bot, async (apply) => apply())
  await book.addConfig({ version: 1, atMs: START_S * 1000, by: 'operator', text: code.toConfigText(config) })
}

/** The signal of a moment for one whose clock is right. */
function trueSignal(
  world: Parameters<typeof createSignalView>[0],
  coin: 'BTC' | 'ETH' | 'SOL' | 'XRP',
  atMs: number,
) {
  const timeline = { ...world.timeline, now: () => atMs }
  return createSignalView({ ...world, timeline }, { now: () => atMs }).signal(coin)
}
