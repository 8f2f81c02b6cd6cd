import type { Log } from '../../core/log.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { DAY_MS } from '../../core/time/time.ts'
import type { BotBook, BrokerName, TradeRow } from '../../ledger/ports/bot-book.ts'
import { type AccountDays, createAccountDays } from './account-days.ts'
import type { CurvePoint } from './equity-curve.ts'
import { createReadAgain } from './read-again.ts'
import { readAllDays, readDay } from './read-days.ts'
import { createRecentTrades, type RecentTrades } from './recent-trades.ts'
import type { Summary } from './summary.ts'
import { dayOf } from './trade-order.ts'

/** What came of the trades, account by account: figures of paper and of real money are never added up. */
export type ResultsReader = {
  /** Of all trades. Every method throws 503 until the ledger has been read. */
  total(broker: BrokerName): Summary
  /** Of windows that started in the UTC day that it is now. */
  today(broker: BrokerName): Summary
  /** Newest window first. */
  recent(broker: BrokerName, limit: number): readonly TradeRow[]
  curve(broker: BrokerName): readonly CurvePoint[]
  /** The account at the venue once the bot has traded with it by its own decision, else paper. */
  leading(): BrokerName
  /** Rises with every change. */
  readonly version: number
  /** When the newest trade was resolved, as the ledger says: the same after a restart. The start while there is none. */
  readonly asOfMs: number
}

export type Results = ResultsReader & {
  load(): Promise<void>
  /** A trade whose row is in the ledger: new, or settled again. Never waits and never fails. */
  add(trade: TradeRow): void
  /** Resolves once every day that had to be read again has been. */
  idle(): Promise<void>
}

type Account = { days: AccountDays; recent: RecentTrades; total: Summary | undefined }
type Ports = { book: Pick<BotBook, 'trades'>; clock: Clock; log: Log }

export const BROKERS = ['paper', 'polymarket'] as const satisfies readonly BrokerName[]

/** Kept in memory from the ledger's rows; bounded by the number of days, not of trades. */
export function createResults({ book, clock, log }: Ports): Results {
  const accounts: Record<BrokerName, Account> = { paper: emptyAccount(), polymarket: emptyAccount() }
  let isLoaded = false
  let version = 0
  const startedMs = clock.now()
  let newestMs: number | undefined
  const changed = (account: Account, rows: readonly TradeRow[]) => {
    account.total = undefined
    version++
    for (const { resolvedMs } of rows) newestMs = Math.max(newestMs ?? resolvedMs, resolvedMs)
  }
  const accountOf = (broker: BrokerName) => {
    if (isLoaded) return accounts[broker]
    throw new ServiceError('upstream_unavailable', 'the results of the bot are being read from the ledger')
  }
  const totalOf = (account: Account) => {
    account.total ??= account.days.total()
    return account.total
  }
  const setDay = (broker: BrokerName, day: number, rows: readonly TradeRow[]) => {
    const account = accounts[broker]
    account.days.set(day, rows)
    for (const row of rows) account.recent.put(row)
    changed(account, rows)
  }
  const again = createReadAgain(log, async (broker, day) => {
    setDay(broker, day, await readDay(book, broker, day, accounts[broker].days.rowsAfter(day)))
  })
  return {
    async load() {
      for (const broker of BROKERS) await readAllDays(book, broker, (day, rows) => setDay(broker, day, rows))
      isLoaded = true
      again.run()
      await again.idle()
    },
    add(trade) {
      const { broker } = trade
      const account = accounts[broker]
      const day = dayOf(trade)
      // A day that is being read would lose what is put into it meanwhile.
      const isPut = isLoaded && !again.isDue(broker, day) && account.days.put(trade)
      if (!isPut) {
        again.mark(broker, day)
        if (isLoaded) again.run()
        return
      }
      account.recent.put(trade)
      changed(account, [trade])
    },
    idle: again.idle,
    total: (broker) => totalOf(accountOf(broker)),
    today: (broker) => accountOf(broker).days.of(Math.floor(clock.now() / DAY_MS)),
    recent: (broker, limit) => accountOf(broker).recent.last(limit),
    curve: (broker) => accountOf(broker).days.curve(),
    leading: () => (totalOf(accountOf('polymarket')).all.bot.trades > 0 ? 'polymarket' : 'paper'),
    get version() {
      return version
    },
    get asOfMs() {
      return newestMs ?? startedMs
    },
  }
}

const emptyAccount = (): Account => ({
  days: createAccountDays(),
  recent: createRecentTrades(),
  total: undefined,
})
