import { COINS, type Coin, mapCoins } from '../../core/coin.ts'
import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { WINDOW_S, windowAt } from '../../core/time/window.ts'
import type { BotBook, BrokerName, DecisionRow, OrderRow } from '../../ledger/ports/bot-book.ts'
import { tookSomething } from '../account/fills.ts'
import type { LedgerView } from '../account/ledger-view.ts'
import type { Desk, Wanted } from '../desk/desk.ts'
import { CLOSES_BEFORE_END_MS, OPENS_AFTER_MS } from '../risk/bounds.ts'
import type { BossSignals } from './boss-signals.ts'
import { chooseOrder } from './choose-order.ts'
import type { Choice } from './look.ts'
import { toWanted } from './planned-purchase.ts'
import type { TakeLook } from './take-look.ts'

/** One round for each window and coin: it looks every few seconds until it buys, or the window is nearly over. */
export type Rounds = {
  start(): void
  stop(): void
}

type Ports = {
  clock: Clock
  log: Log
  book: Pick<BotBook, 'addDecision'>
  view: Pick<LedgerView, 'ordersOf'>
  desk: Pick<Desk, 'order' | 'isHeld'>
  bossSignals: BossSignals
  takeLook: TakeLook
  broker(): BrokerName
  /** False until the start has been reconciled with the venue. */
  isReady(): boolean
  onDecision(decision: DecisionRow): void
  /** Counts what is under way. */
  track(work: Promise<void>): void
}

const LOOK_EVERY_MS = 5_000
const LAST_LOOK_MS = WINDOW_S * 1000 - CLOSES_BEFORE_END_MS
/** The next one only after the one before took nothing. */
const MAX_ATTEMPTS = 3

const STARTING: Refusal = { action: 'none', reason: 'starting', facts: {} }
/** The ledger, or the venue, lets the coin wait. */
const HELD: Refusal = { action: 'none', reason: 'held', facts: {} }

type Refusal = Extract<Choice, { action: 'none' }>
/** What a coin has done in the window that is open. */
type Round = { windowStartS: number; isBusy: boolean; isOver: boolean; best: Refusal | undefined }

export function createRounds(ports: Ports): Rounds {
  const { clock, track } = ports
  const rounds = mapCoins<Round>(() => ({ windowStartS: 0, isBusy: false, isOver: false, best: undefined }))
  let cancel = () => {}
  const look = async (coin: Coin, round: Round, isLast: boolean) => {
    round.isBusy = true
    try {
      if (!ports.isReady()) round.best ??= STARTING
      else if (await decide(ports, coin, round)) round.isOver = true
      if (isLast && !round.isOver) await closeRound(ports, coin, round)
    } catch (err) {
      ports.log.warn({ err, coin, windowStartS: round.windowStartS }, 'a look at a window failed')
    } finally {
      round.isBusy = false
    }
  }
  const tick = () => {
    const { startS } = windowAt(clock.now())
    const sinceStartMs = clock.now() - startS * 1000
    for (const coin of COINS) {
      if (rounds[coin].windowStartS !== startS)
        rounds[coin] = { windowStartS: startS, isBusy: false, isOver: false, best: undefined }
      const round = rounds[coin]
      if (sinceStartMs >= OPENS_AFTER_MS && !round.isBusy && !round.isOver)
        track(look(coin, round, sinceStartMs >= LAST_LOOK_MS))
    }
    schedule()
  }
  const schedule = () => {
    cancel = clock.after(LOOK_EVERY_MS - (clock.now() % LOOK_EVERY_MS), tick)
  }
  return { start: schedule, stop: () => cancel() }
}

/** True where the round has nothing left to do. */
async function decide(ports: Ports, coin: Coin, round: Round): Promise<boolean> {
  const { view, desk, bossSignals, takeLook } = ports
  const { windowStartS } = round
  const own = view.ordersOf(coin, windowStartS).filter(isOfRound)
  if (own.some(tookSomething) || own.length >= MAX_ATTEMPTS) return true
  if (own.some(({ state }) => state === 'open')) return false
  if (desk.isHeld(coin)) {
    round.best ??= HELD
    return false
  }
  const boss = await bossSignals.find(coin, windowStartS)
  let decision: DecisionRow | undefined
  const row = await desk.order(async () => {
    const look = takeLook(coin, windowStartS, boss?.direction)
    const choice = chooseOrder(look)
    if (choice.action === 'none') {
      round.best = better(round.best, choice)
      return undefined
    }
    const unused = boss?.usedMs === undefined ? boss : undefined
    const wanted: Wanted = { ...toWanted(look, choice, own.length + 1), bossSignal: unused?.seq }
    decision = wanted.decision
    if (unused) bossSignals.used(unused)
    return wanted
  })
  if (row && decision) ports.onDecision(decision)
  return row !== undefined && tookSomething(row)
}

/** A window without a decision to buy gets one row at its end: the look with the best edge, with its reason and numbers and the time they are of. */
async function closeRound(ports: Ports, coin: Coin, round: Round): Promise<void> {
  const { view, book, clock, broker } = ports
  const { windowStartS, best } = round
  const hasDecision = view.ordersOf(coin, windowStartS).some(isOfRound)
  if (hasDecision || !best) return
  const row: DecisionRow = {
    windowStartS,
    coin,
    attempt: 1,
    atMs: clock.now(),
    broker: broker(),
    action: 'none',
    reason: best.reason,
    facts: JSON.stringify(best.facts),
  }
  if (await book.addDecision(row)) ports.onDecision(row)
  round.isOver = true
}

/** Not by hand: a boss signal's order is one of its attempts. */
const isOfRound = ({ origin }: OrderRow) => origin !== 'operator'

/** The later one of two without an edge. */
function better(best: Refusal | undefined, next: Refusal): Refusal {
  const edgeOf = (choice: Refusal | undefined) =>
    typeof choice?.facts.edge === 'number' ? choice.facts.edge : Number.NEGATIVE_INFINITY
  return best && edgeOf(best) > edgeOf(next) ? best : next
}
