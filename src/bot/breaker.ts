import type { Clock } from '../core/time/clock.ts'
import type { BotBook, BreakerRow, BrokerName, TradeRow } from '../ledger/ports/bot-book.ts'
import { dayOf } from './account/day-figures.ts'
import type { LedgerView } from './account/ledger-view.ts'
import type { Breaker, By } from './bot.ts'
import { brokerOf } from './config/config-keeper.ts'
import { createSerial } from './desk/serial.ts'
import { losingRun } from './risk/losing-run.ts'
import { whyOpen } from './risk/why-open.ts'
import type { TradingConfig } from './trading-config.ts'

export type BreakerKeeper = {
  load(): Promise<void>
  read(broker: BrokerName): Breaker
  /**
   * Open at once; the row is written with the next `save` where the ledger fails now. Open already: a reason that is new
   * gets a row of its own, so that the operator who resets has seen all of them.
   */
  open(reason: string): Promise<void>
  /**
   * Opens it where the trades of the broker in use say so; after a switch, where those of the new one do. Open already:
   * adds that reason, unless one like it is there.
   */
  check(config: TradingConfig): Promise<void>
  /** Of the reasons there are at this moment: one that comes while the reset is being written keeps it open. */
  reset(by: By): Promise<void>
  /** Writes openings that could not be written before. */
  save(): Promise<void>
}

type Row = Omit<BreakerRow, 'seq'>
type Opening = { row: Row; isSaved: boolean }
type Ports = {
  clock: Clock
  log: { warn(facts: object, text: string): void }
  book: Pick<BotBook, 'addBreaker' | 'breakerRows'>
  view: Pick<LedgerView, 'trades'>
  onReset(): void
}

/** Holds all reasons of an opening and the reset before them. */
const ROWS_READ = 100
/** Further ones are only logged. */
const MAX_REASONS = 50
const REASONS_SHOWN = 5
const BY_BOT = 'bot'

/** Stops all trading until the operator resets it; kept in the ledger, so that a restart does not close it. */
export function createBreaker(ports: Ports): BreakerKeeper {
  const { clock, log, book, view } = ports
  const alone = createSerial()
  /** Since the last reset, oldest first; empty: it is closed. */
  let openings: readonly Opening[] = []
  let reset: { row: Row | undefined; seq: number } = { row: undefined, seq: 0 }
  /** What was last found to be no reason, so that the trades of a day are not counted every few seconds. */
  let checked: readonly unknown[] = []
  const runOf = createRuns(view)

  const write = async (some: readonly Opening[]) => {
    for (const opening of some) {
      if (opening.isSaved) continue
      await book.addBreaker(opening.row)
      opening.isSaved = true
    }
  }
  const save = () => alone(() => write(openings))
  const open = async (reason: string) => {
    if (openings.some(({ row }) => row.reason === reason)) return
    log.warn({ reason }, 'the breaker opened: no order is placed until it is reset')
    if (openings.length >= MAX_REASONS) return
    const row: Row = { atMs: clock.now(), kind: 'opened', reason, by: BY_BOT }
    openings = [...openings, { row, isSaved: false }]
    await save()
  }
  return {
    async load() {
      const rows = await book.breakerRows(ROWS_READ)
      const at = rows.findIndex(({ kind }) => kind === 'reset')
      const since = at === -1 ? rows : rows.slice(0, at)
      openings = since.map((row) => ({ row, isSaved: true })).reverse()
      reset = { row: rows[at], seq: rows[at]?.seq ?? 0 }
    },
    read: (broker) => ({
      isOpen: openings.length > 0,
      reason: openings.length > 0 ? reasonOf(openings) : reset.row?.reason,
      sinceMs: (openings[0]?.row ?? reset.row)?.atMs,
      consecutiveLosses: runOf(broker, reset.seq),
    }),
    open,
    async check(config) {
      const now = [view.trades(), reset.seq, config, dayOf(clock.now() / 1000)]
      if (now.every((part, index) => part === checked[index])) return
      const reason = whyOpen(view.trades(), brokerOf(config), reset.seq, config, clock.now())
      // Also while it is open for something else: a reset forgives losses, so they must be among what the operator sees.
      if (reason && !openings.some(({ row }) => kindOf(row.reason) === kindOf(reason))) await open(reason)
      checked = now
    },
    reset(by) {
      const seen = openings
      return alone(async () => {
        await write(seen)
        const row: Row = { atMs: clock.now(), kind: 'reset', reason: 'reset by the operator', by }
        reset = { row, seq: await book.addBreaker(row) }
        // Written before the reset or not, after a restart only what stands behind the reset counts.
        openings = openings.filter((each) => !seen.includes(each)).map(({ row }) => ({ row, isSaved: false }))
        ports.onReset()
        await write(openings)
      })
    },
    save,
  }
}

/** Losses in a row, counted again only after a trade or a reset. */
function createRuns(view: Pick<LedgerView, 'trades'>): (broker: BrokerName, resetSeq: number) => number {
  const runs = new Map<BrokerName, { trades: readonly TradeRow[]; resetSeq: number; count: number }>()
  return (broker, resetSeq) => {
    const trades = view.trades()
    const known = runs.get(broker)
    if (known?.trades === trades && known.resetSeq === resetSeq) return known.count
    const count = losingRun(trades, broker, resetSeq)
    runs.set(broker, { trades, resetSeq, count })
    return count
  }
}

/** A run or a loss that grows is the same reason with other numbers. */
const kindOf = (reason: string): string => reason.replace(/[\d.-]+/g, '')

function reasonOf(openings: readonly Opening[]): string {
  const more = openings.length - REASONS_SHOWN
  const shown = openings.slice(0, REASONS_SHOWN).map(({ row }) => row.reason)
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}
