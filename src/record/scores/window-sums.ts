import { type BoundedCache, createBoundedCache } from '../../core/bounded-cache.ts'

/** What one window adds up to, over the coins that were scored in it. */
export type Scored = { brier: number; logLoss: number; ups: number; count: number }
/** A linear combination of `Scored`, added up over all windows. */
export type Weights = Partial<Scored>

/** Running sums over windows, from which the standard error of a mean follows without keeping every window. */
export type WindowSums = {
  readonly windows: number
  add(windowStartS: number, scored: Scored): void
  mean(weights: Weights): number
  /**
   * Coins move together within a window, so a window is one draw, not four: the standard error of a mean whose draws are
   * windows of unequal size.
   */
  standardError(weights: Weights): number
}

const NAMES = ['brier', 'logLoss', 'ups', 'count'] as const
const NOTHING: Scored = { brier: 0, logLoss: 0, ups: 0, count: 0 }
/** Every prediction is revealed within 15 windows. */
const OPEN_WINDOWS = 32

export function createWindowSums(): WindowSums {
  const open: BoundedCache<number, Scored> = createBoundedCache({ capacity: OPEN_WINDOWS })
  let total = NOTHING
  let windows = 0
  /** Of each pair of names, the sum over windows of their product. */
  const products = new Float64Array(NAMES.length ** 2)
  const addProducts = (of: Scored, sign: 1 | -1) => {
    const values = valuesOf(of)
    // Plain loops: a year of windows is added up at every start.
    for (let a = 0; a < NAMES.length; a++)
      for (let b = 0; b < NAMES.length; b++)
        products[a * NAMES.length + b] =
          (products[a * NAMES.length + b] ?? 0) + sign * (values[a] ?? 0) * (values[b] ?? 0)
  }
  const sum = (weights: Weights) => NAMES.reduce((all, name) => all + (weights[name] ?? 0) * total[name], 0)
  const mean = (weights: Weights) => sum(weights) / total.count
  return {
    get windows() {
      return windows
    },
    add(windowStartS, scored) {
      const before = open.get(windowStartS)
      if (!before) windows++
      const after = plus(before ?? NOTHING, scored)
      if (before) addProducts(before, -1)
      addProducts(after, 1)
      total = plus(total, scored)
      open.set(windowStartS, after)
    },
    mean,
    standardError(weights) {
      const residual = { ...weights, count: (weights.count ?? 0) - mean(weights) }
      const values = valuesOf(residual)
      const squares = products.reduce(
        (all, product, at) =>
          all + product * (values[Math.floor(at / NAMES.length)] ?? 0) * (values[at % NAMES.length] ?? 0),
        0,
      )
      // Rounding may leave less than nothing where all windows are alike.
      return Math.sqrt((Math.max(0, squares) * windows) / (windows - 1)) / total.count
    },
  }
}

function valuesOf({ brier = 0, logLoss = 0, ups = 0, count = 0 }: Weights): number[] {
  return [brier, logLoss, ups, count]
}

function plus(a: Scored, b: Scored): Scored {
  return {
    brier: a.brier + b.brier,
    logLoss: a.logLoss + b.logLoss,
    ups: a.ups + b.ups,
    count: a.count + b.count,
  }
}
