import type { BossSignalRow, BotBook, DecisionRow } from '../../../ledger/ports/bot-book.ts'
import type { Commit } from '../commit.ts'
import { type MemoryBotRows, windowKey } from './memory-bot-rows.ts'
import { newestFirst } from './sorted-rows.ts'

type Controls = Pick<
  BotBook,
  | 'addDecision'
  | 'decisions'
  | 'decisionsOf'
  | 'addConfig'
  | 'configs'
  | 'addBreaker'
  | 'breakerRows'
  | 'addBossSignal'
  | 'findBossSignal'
  | 'bossSignals'
>

export function createMemoryControls(rows: MemoryBotRows, commit: Commit): Controls {
  const { decisions, configs, breaker, bossSignals } = rows
  return {
    addDecision: (decision) => commit(() => writeDecision(rows, decision)),
    decisions: async ({ limit, offset }) => newestFirst(decisions, limit, offset).map(copy),
    decisionsOf: async (coin, windowStartS) => {
      const found = rows.decisionsOf.get(windowKey(coin, windowStartS)) ?? []
      return found.map(copy).sort((a, b) => a.attempt - b.attempt)
    },
    addConfig: (row) =>
      commit(() => {
        if (row.version !== (configs.at(-1)?.version ?? 0) + 1) return false
        configs.push({ ...row })
        return true
      }),
    configs: async ({ limit, offset }) => newestFirst(configs, limit, offset).map(copy),
    addBreaker: (row) => commit(() => breaker.push({ ...row, seq: breaker.length + 1 })),
    breakerRows: async (limit) => newestFirst(breaker, limit).map(copy),
    addBossSignal: (given) =>
      commit(() => {
        const row: BossSignalRow = { ...given, seq: bossSignals.length + 1, usedMs: undefined }
        bossSignals.push(row)
        return { ...row }
      }),
    async findBossSignal(coin, windowStartS) {
      const found = bossSignals.findLast((row) => row.coin === coin && row.windowStartS === windowStartS)
      return found && { ...found }
    },
    bossSignals: async (limit) => newestFirst(bossSignals, limit).map(copy),
  }
}

const copy = <T extends object>(row: T): T => ({ ...row })

/** False where there is one of that window, coin and attempt. */
export function writeDecision(rows: MemoryBotRows, decision: DecisionRow): boolean {
  const key = windowKey(decision.coin, decision.windowStartS)
  const known = rows.decisionsOf.get(key) ?? []
  if (known.some(({ attempt }) => attempt === decision.attempt)) return false
  const row = { ...decision }
  rows.decisions.push(row)
  rows.decisionsOf.set(key, [...known, row])
  return true
}
