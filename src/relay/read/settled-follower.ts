import type { Results } from '../../bot/results/results.ts'
import { describeError } from '../../core/describe-error.ts'
import type { Log } from '../../core/log.ts'
import type { BotBook } from '../../ledger/ports/bot-book.ts'
import type { SettledTrades } from '../values/bot-value.ts'

type Ports = {
  log: Pick<Log, 'warn'>
  book: Pick<BotBook, 'findTrade'>
  results: Pick<Results, 'load' | 'add'>
}

/** Keeps the results of another process's trades up to date: the engine names them, the ledger has them. */
export type SettledFollower = {
  /** Those of the engine, as they were told last. */
  hear(settled: SettledTrades): void
  /** Resolves when all of it is in the results. */
  idle(): Promise<void>
}

/** The results must have been loaded once, after the first time that something was heard or before it. */
export function createSettledFollower({ log, book, results }: Ports): SettledFollower {
  let known: { epoch: number; nth: number } | undefined
  let latest: SettledTrades | undefined
  let running: Promise<void> | undefined
  const takeIn = async ({ epoch, trades }: SettledTrades) => {
    const newest = trades.at(-1)?.nth ?? 0
    const first = trades[0]?.nth ?? 1
    // Another engine counts anew, and what was told while we did not listen may be gone: then everything is read.
    if (known?.epoch !== epoch || first > known.nth + 1) await results.load()
    else
      for (const { nth, broker, conditionId } of trades) {
        if (nth <= known.nth) continue
        const trade = await book.findTrade(broker, conditionId)
        if (trade) results.add(trade)
      }
    known = { epoch, nth: newest }
  }
  const run = async () => {
    try {
      while (latest) {
        const heard = latest
        latest = undefined
        await takeIn(heard)
      }
    } catch (error) {
      // Read whole with the next that is heard.
      known = undefined
      log.warn({ cause: describeError(error) }, 'results could not be read from the ledger')
    }
    running = undefined
  }
  return {
    hear(settled) {
      latest = settled
      running ??= run()
    },
    async idle() {
      while (running) await running
    },
  }
}
