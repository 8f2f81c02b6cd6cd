import { createMemoryBotRows } from '../../../src/testing/ledger/bot/memory-bot-rows.ts'
import { createMemoryPaperRows } from '../../../src/testing/ledger/bot/memory-paper-book.ts'
import type { Commit } from '../../../src/testing/ledger/commit.ts'
import type { Seeded } from '../../../src/testing/seeded.ts'
import type { Timeline, Trace } from '../../simulation/timeline.ts'
import type { BotCode } from './bot-code.ts'
import type { Weather } from './storm.ts'

/** What survives a kill, and the writes on their way to it. */
export type SimDisk = {
  bot: ReturnType<typeof createMemoryBotRows>
  paper: ReturnType<typeof createMemoryPaperRows>
  commit: Commit
  /** Writes under way may have reached the disk, in order, up to any one of them. Nobody hears of it. */
  crash(): void
}
type World = { timeline: Timeline; random: Seeded; weather: Weather; code: BotCode; trace: Trace }
type Pending = { apply: () => unknown; cancel: () => void }

const COMMIT_MS = 3

export function createSimDisk({ timeline, random, weather, code, trace }: World): SimDisk {
  let pending: Pending[] = []
  let lastMs = 0
  return {
    bot: createMemoryBotRows(),
    paper: createMemoryPaperRows(),
    commit: <T>(apply: () => T) =>
      new Promise<T>((resolve, reject) => {
        const isFailing = weather.is('diskOut', timeline.now()) || random.chance(weather.storm.writeFails)
        // Some that fail are written all the same: only the word of it got lost.
        const isWritten = !isFailing || random.chance(0.3)
        lastMs = Math.max(lastMs, timeline.now() + random.between(0, COMMIT_MS))
        const entry: Pending = { apply: isWritten ? apply : () => undefined, cancel: () => undefined }
        pending.push(entry)
        entry.cancel = timeline.after(lastMs - timeline.now(), () => {
          pending.shift()
          try {
            const value = isWritten ? apply() : undefined
            if (!isFailing) return resolve(value as T)
            trace?.('disk: a write failed')
            reject(new code.ServiceError('store_unavailable', 'the disk is full'))
          } catch (error) {
            reject(error)
          }
        })
      }),
    crash() {
      const durable = random.between(0, pending.length)
      pending.forEach(({ apply, cancel }, index) => {
        cancel()
        try {
          if (index < durable) apply()
        } catch {
          // A write that the ledger refuses changes nothing.
        }
      })
      pending = []
    },
  }
}
