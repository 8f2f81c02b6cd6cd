import { WINDOW_S } from '../../core/time/window.ts'
import { toIndicatorValues } from '../../products/signals/indicators.ts'
import type { Second } from './replay.ts'

/** Figures of a replay, gathered second by second. */
export type TickMetrics = { second(second: Second): void; read(): TickFigures }

export type TickFigures = {
  seconds: number
  /** Share of all seconds at which an indicator was known, by its name in the API. */
  warm: Record<string, number>
  /** How often the sign of the newest book's imbalance was that of the mid's next change. */
  imbalance: readonly {
    horizon_s: number
    /** Seconds at which the book was uneven and the mid then moved. */
    count: number
    /** Seconds after which the mid was unchanged at the horizon. */
    unmoved: number
    hit_rate: number | null
  }[]
  /** Over every second of the windows whose opening and closing prices are known. */
  p_up: { windows: number; count: number; brier: number | null }
}

/** Opening prices by epoch second, for a window that was already open when the recording began. */
type Openings = ReadonlyMap<number, number>

export function createTickMetrics({ openings = new Map() }: { openings?: Openings } = {}): TickMetrics {
  const warm = createWarmShares()
  const imbalance = createImbalanceScore()
  const brier = createBrier(openings)
  return {
    second(second) {
      warm.second(second)
      imbalance.second(second)
      brier.second(second)
    },
    read: () => ({ ...warm.read(), imbalance: imbalance.read(), p_up: brier.read() }),
  }
}

function createWarmShares() {
  const counts = new Map<string, number>()
  let seconds = 0
  return {
    second({ indicators }: Second) {
      seconds++
      for (const [name, value] of Object.entries(toIndicatorValues(indicators)))
        counts.set(name, (counts.get(name) ?? 0) + (value === null ? 0 : 1))
    },
    read() {
      const shares = [...counts].map(([name, count]) => [name, rounded(count / seconds)])
      return { seconds, warm: Object.fromEntries(shares) as Record<string, number> }
    },
  }
}

const HORIZONS_S = [1, 5, 10] as const
const LONGEST_S = 10

/** Keeps the imbalances of the last ten seconds, by second. */
function createImbalanceScore() {
  const seen = new Map<number, { mid: number; sign: number }>()
  const scores = HORIZONS_S.map((horizonS) => ({ horizonS, hits: 0, count: 0, unmoved: 0 }))
  return {
    second({ atMs, mid, imbalance }: Second) {
      const atS = atMs / 1000
      seen.delete(atS - LONGEST_S - 1)
      if (mid === undefined) return
      for (const score of scores) {
        const before = seen.get(atS - score.horizonS)
        if (!before || before.sign === 0) continue
        const move = Math.sign(mid - before.mid)
        if (move === 0) score.unmoved++
        else score.count++
        if (move === before.sign) score.hits++
      }
      if (imbalance !== undefined) seen.set(atS, { mid, sign: Math.sign(imbalance) })
    },
    read: () =>
      scores.map(({ horizonS, hits, count, unmoved }) => ({
        horizon_s: horizonS,
        count,
        unmoved,
        hit_rate: count === 0 ? null : rounded(hits / count),
      })),
  }
}

/** Sums the open window's probabilities and their squares; they are scored when it closes. */
function createBrier(openings: Openings) {
  const total = { windows: 0, count: 0, squares: 0 }
  let open = emptyWindow(0, undefined)
  const close = (price: number | undefined) => {
    if (open.price === undefined || price === undefined || open.count === 0) return
    const outcome = price >= open.price ? 1 : 0
    total.windows++
    total.count += open.count
    total.squares += open.squares - 2 * outcome * open.sum + outcome * open.count
  }
  return {
    second({ atMs, windowStartS, price, signal }: Second) {
      if (windowStartS !== open.startS) {
        const isEdge = atMs === windowStartS * 1000
        if (isEdge && open.startS === windowStartS - WINDOW_S) close(price)
        open = emptyWindow(windowStartS, isEdge ? price : openings.get(windowStartS))
      }
      if (!signal) return
      open.count++
      open.sum += signal.probabilityUp
      open.squares += signal.probabilityUp ** 2
    },
    read: () => ({
      windows: total.windows,
      count: total.count,
      brier: total.count === 0 ? null : rounded(total.squares / total.count),
    }),
  }
}

function emptyWindow(startS: number, price: number | undefined) {
  return { startS, price, count: 0, sum: 0, squares: 0 }
}

const DIGITS = 6
const rounded = (value: number) => Number(value.toFixed(DIGITS))
