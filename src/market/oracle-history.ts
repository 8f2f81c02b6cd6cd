import type { OracleTick } from '../feeds/events.ts'

/** More than the hour that clients may ask for. */
const ORACLE_CAPACITY_S = 4_096

/** Ticks of one coin and kind by whole second; a later tick of the same second replaces the earlier. */
export type OracleHistory = {
  /** Returns whether this tick is the newest so far. Older ones are kept too. */
  apply(tick: OracleTick): boolean
  /** Ticks of the last `seconds` up to the newest, oldest first. Missing seconds are left out. */
  history(seconds: number): readonly OracleTick[]
  readonly newest: OracleTick | undefined
}

export function createOracleHistory({ capacityS = ORACLE_CAPACITY_S } = {}): OracleHistory {
  const slots: (OracleTick | undefined)[] = new Array(capacityS)
  let newest: OracleTick | undefined
  return {
    apply(tick) {
      const second = secondOf(tick)
      if (newest && second <= secondOf(newest) - capacityS) return false
      const held = slots[second % capacityS]
      if (!held || held.atMs <= tick.atMs) slots[second % capacityS] = tick
      if (newest && tick.atMs <= newest.atMs) return false
      newest = tick
      return true
    },
    history(seconds) {
      if (!newest) return []
      const last = secondOf(newest)
      const ticks: OracleTick[] = []
      for (let second = last - Math.min(seconds, capacityS) + 1; second <= last; second++) {
        const tick = slots[second % capacityS]
        if (tick && secondOf(tick) === second) ticks.push(tick)
      }
      return ticks
    },
    get newest() {
      return newest
    },
  }
}

function secondOf(tick: OracleTick): number {
  return Math.floor(tick.atMs / 1000)
}
