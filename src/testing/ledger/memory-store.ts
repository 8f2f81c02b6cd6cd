import { ServiceError } from '../../core/service-error.ts'
import { DAY_MS } from '../../core/time/time.ts'
import type { IdentityBook, LedgerIdentity } from '../../ledger/ports/ledger-identity.ts'
import type { Store } from '../../ledger/ports/store.ts'
import type { UsageLog, UsageSum } from '../../ledger/ports/usage-log.ts'
import { createUsageTally, sumOf } from '../../ledger/usage-tally.ts'
import { createMemoryBotBook } from './bot/memory-bot-book.ts'
import { createMemoryBotRows, type MemoryBotRows } from './bot/memory-bot-rows.ts'
import {
  createMemoryPaperBook,
  createMemoryPaperRows,
  type MemoryPaperRows,
} from './bot/memory-paper-book.ts'
import {
  createMemoryCommunity,
  createMemoryPageViews,
  createMemoryWatercooler,
  type MemoryCommunity,
} from './community/memory-community.ts'
import {
  createMemoryFinality,
  createMemoryFinalityBook,
  isLostIn,
  type MemoryFinality,
} from './finality/memory-finality-book.ts'
import { createMemoryHintBook } from './finality/memory-hint-book.ts'
import { createMemoryDemoCounters, type MemoryDemoCalls } from './memory-demo-counters.ts'
import { createMemoryPaymentBook } from './memory-payment-book.ts'
import type { MemoryRows } from './memory-payment-rows.ts'
import {
  createMemoryRecordBook,
  createMemoryRecordRows,
  type MemoryRecordRows,
} from './memory-record-book.ts'
import {
  createMemoryOperatorBook,
  createMemoryOperatorRows,
  type MemoryOperatorRows,
} from './operator/memory-operator-book.ts'
import {
  createMemorySignInBook,
  createMemorySignInRows,
  type MemorySignInRows,
} from './sign-in/memory-sign-in-book.ts'
import { createMemoryUptime, createMemoryUptimeBook, type MemoryUptime } from './uptime/memory-uptime-book.ts'

/** What would be on disk. A new store with the same disk is the store after a restart. */
export type MemoryDisk = {
  rows: MemoryRows
  finality: MemoryFinality
  hints: Map<string, string>
  demo: MemoryDemoCalls
  usage: UsageSum[]
  record: MemoryRecordRows
  identity: LedgerIdentity | undefined
  bot: MemoryBotRows
  paper: MemoryPaperRows
  operator: MemoryOperatorRows
  signIn: MemorySignInRows
  community: MemoryCommunity
  uptime: MemoryUptime
}

export const createMemoryDisk = (): MemoryDisk => ({
  rows: new Map(),
  finality: createMemoryFinality(),
  hints: new Map(),
  demo: new Map(),
  usage: [],
  record: createMemoryRecordRows(),
  identity: undefined,
  bot: createMemoryBotRows(),
  paper: createMemoryPaperRows(),
  operator: createMemoryOperatorRows(),
  signIn: createMemorySignInRows(),
  community: createMemoryCommunity(),
  uptime: createMemoryUptime(),
})

/** A store for simulations: it fulfils the contract, but does not survive the process. */
export function createMemoryStore(disk: MemoryDisk): Store {
  return {
    demo: createMemoryDemoCounters(disk.demo),
    payments: createMemoryPaymentBook({ rows: disk.rows, isLost: isLostIn(disk.finality) }),
    finality: createMemoryFinalityBook({ disk: disk.finality, rows: disk.rows }),
    hints: createMemoryHintBook(disk.hints, disk.rows),
    usage: createUsage(disk),
    record: createMemoryRecordBook(disk.record),
    identity: createIdentity(disk),
    bot: createMemoryBotBook(disk.bot),
    paper: createMemoryPaperBook(disk.paper),
    operator: createMemoryOperatorBook(disk.operator),
    signIn: createMemorySignInBook(disk.signIn),
    watercooler: createMemoryWatercooler(disk.community),
    pageViews: createMemoryPageViews(disk.community),
    uptime: createMemoryUptimeBook(disk.uptime),
    async ping() {},
    async close() {},
  }
}

function createIdentity(disk: MemoryDisk): IdentityBook {
  return {
    find: async () => disk.identity,
    async save(identity) {
      const { ledgerId, mode } = disk.identity ?? identity
      if (ledgerId !== identity.ledgerId || mode !== identity.mode)
        throw new ServiceError('store_unavailable', 'a ledger keeps its id and its mode')
      disk.identity = identity
    },
  }
}

function createUsage(disk: MemoryDisk): UsageLog {
  let dropped = 0
  const add = (sums: readonly UsageSum[]) => {
    const tally = createUsageTally()
    for (const sum of sums) if (!tally.add(sum)) dropped += sum.calls
    return tally.take()
  }
  return {
    record(event) {
      disk.usage = add([...disk.usage, sumOf(event)])
    },
    async perDay(sinceMs) {
      const fromDay = Math.floor(sinceMs / DAY_MS)
      return disk.usage.filter(({ day }) => day >= fromDay).sort(byKind)
    },
    get dropped() {
      return dropped
    },
  }
}

function byKind(a: UsageSum, b: UsageSum): number {
  const [kindA, kindB] = [a, b].map(({ productId, via, status }) => `${productId} ${via} ${status}`)
  return a.day - b.day || ((kindA ?? '') < (kindB ?? '') ? -1 : 1)
}
