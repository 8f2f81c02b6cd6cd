import { type OwnMarket, parseMarketChange } from '../market/market-change.ts'
import { VALUES_PART } from '../values/value-kinds.ts'
import { type Entry, parseEntry } from '../wire/entry.ts'
import type { LogPage } from '../wire/relay-log.ts'
import type { HeardValues } from './heard-values.ts'

/** Up to which entry of which term everything is known, and where the log is read on. */
export type Place = { epoch: number; seq: number; id: string }
/** An entry that follows, and how to take it. */
export type Step = { entry: Entry; heldMs: number; apply(): void }
/** As of which entry a part is known; what older entries say of it is in it. */
export type SeqOf = (part: string) => number
/** Undefined: it is no news, since it is old, doubled or of another term. `ahead`: entries before it are missing. */
export type NextStep = (
  from: Place,
  entry: LogPage['entries'][number],
  seqOf?: SeqOf,
) => Step | 'ahead' | undefined

/** Throws on what is no entry of ours; nothing of it is taken then. */
export function createNextStep({ market, values }: { market: OwnMarket; values: HeardValues }): NextStep {
  const parseChange = (row: unknown) => {
    if (Array.isArray(row) && row[0] === 'v') return { part: VALUES_PART, apply: values.parse(row) }
    const change = parseMarketChange(row)
    return { part: change.part, apply: () => change.apply(market) }
  }
  return (from, { text, ageMs }, seqOf = () => 0) => {
    const entry = parseEntry(text)
    if (entry.epoch !== from.epoch || entry.seq <= from.seq) return undefined
    if (entry.seq > from.seq + 1) return 'ahead'
    const changes = entry.changes.map(parseChange)
    return {
      entry,
      heldMs: ageMs,
      apply() {
        for (const { part, apply } of changes) if (entry.seq > seqOf(part)) apply()
      },
    }
  }
}
