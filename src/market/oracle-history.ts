import type { OracleTick } from '../feeds/events.ts'

/** More than the hour that clients may ask for. */
const ORACLE_CAPACITY_S = 4_096

/** In no order. The newest is told apart: a tick of the same time may have taken its place. */
export type OracleState = { ticks: readonly OracleTick[]; newest: OracleTick | undefined }

/** Ticks of one coin and kind by whole second; a later tick of the same second replaces the earlier. */
export type OracleHistory = {
  /** Returns whether this tick is the newest so far. Older ones are kept too. */
  apply(tick: OracleTick): boolean
  /** Ticks of the last `seconds` up to the newest, oldest first. Missing seconds are left out. */
  history(seconds: number): readonly OracleTick[]
  snapshot(): OracleState
  restore(state: OracleState): void
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
    snapshot: () => ({ ticks: slots.filter((tick) => tick !== undefined), newest }),
    restore(state) {
      slots.fill(undefined)
      for (const tick of state.ticks) slots[secondOf(tick) % capacityS] = tick
      newest = state.newest
    },
    get newest() {
      return newest
    },
  }
}

function secondOf(tick: OracleTick): number {
  return Math.floor(tick.atMs / 1000)
}
