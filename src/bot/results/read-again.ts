import type { Log } from '../../core/log.ts'
import type { BrokerName } from '../../ledger/ports/bot-book.ts'

export type ReadAgain = {
  /** From now until it has been read. */
  isDue(broker: BrokerName, day: number): boolean
  mark(broker: BrokerName, day: number): void
  /** Reads what is due, unless that is under way. */
  run(): void
  idle(): Promise<void>
}

/** Days that must be read from the ledger again, one after another. One that cannot be read waits for the next run. */
export function createReadAgain(
  log: Log,
  read: (broker: BrokerName, day: number) => Promise<void>,
): ReadAgain {
  const due = new Map<string, { broker: BrokerName; day: number }>()
  let reading: string | undefined
  let isRunning = false
  let running = Promise.resolve()
  const readAll = async () => {
    // What is marked meanwhile is met by the same loop.
    for (const [key, { broker, day }] of due) {
      due.delete(key)
      reading = key
      try {
        await read(broker, day)
      } catch (error) {
        log.error({ broker, day, err: error }, 'a day of results could not be read again')
        due.set(key, { broker, day })
        break
      }
    }
    reading = undefined
    isRunning = false
  }
  const keyOf = (broker: BrokerName, day: number) => `${broker} ${day}`
  return {
    isDue: (broker, day) => reading === keyOf(broker, day) || due.has(keyOf(broker, day)),
    mark: (broker, day) => void due.set(keyOf(broker, day), { broker, day }),
    run() {
      if (isRunning) return
      isRunning = true
      running = readAll()
    },
    async idle() {
      while (isRunning) await running
    },
  }
}
