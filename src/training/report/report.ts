import { type Scores, scoresOf } from '../../backtest/metrics/scores.ts'
import { COINS, type Coin, mapCoins } from '../../core/coin.ts'
import { REGIMES } from '../../signals/signal.ts'
import type { OutOfSample } from '../walk-forward.ts'

export const OFFSETS_S = [0, 60, 120, 180, 240] as const
export type Group = { by: string; name: string; scores: Scores }
/** Out-of-sample figures of one moment of the window, all together and by group. */
export type OffsetReport = { offsetS: number; overall: Scores; groups: readonly Group[] }

const TERCILES = ['calm', 'usual', 'wild'] as const

/** The reference is the symbol's base rate at the window's start, Φ(z) inside. */
export function reportOf(results: readonly OutOfSample[]): OffsetReport[] {
  const baseRates = baseRatesOf(results)
  const tercileOf = createTerciles(results)
  return OFFSETS_S.map((offsetS) => {
    const rows = results.filter((row) => row.offsetS === offsetS)
    const score = (members: readonly OutOfSample[]) => scoresOf(toScored(members, baseRates))
    const group = (by: string, names: readonly string[], nameOf: (row: OutOfSample) => string): Group[] =>
      names.flatMap((name) => {
        const members = rows.filter((row) => nameOf(row) === name)
        return members.length === 0 ? [] : [{ by, name, scores: score(members) }]
      })
    const years = [...new Set(rows.map(yearOf))].sort()
    return {
      offsetS,
      overall: score(rows),
      groups: [
        ...group('coin', COINS, ({ coin }) => coin),
        ...group('regime', REGIMES, ({ regime }) => regime),
        ...group('volatility', TERCILES, tercileOf),
        ...group('year', years, yearOf),
      ],
    }
  })
}

function toScored(rows: readonly OutOfSample[], baseRates: Record<Coin, number>) {
  return {
    startsS: Float64Array.from(rows, ({ windowStartS }) => windowStartS),
    probabilities: Float64Array.from(rows, ({ probabilityUp }) => probabilityUp),
    outcomes: Uint8Array.from(rows, ({ isUp }) => Number(isUp)),
    reference: Float64Array.from(rows, ({ offsetS, coin, diffusion }) =>
      offsetS === 0 ? baseRates[coin] : diffusion,
    ),
  }
}

function baseRatesOf(results: readonly OutOfSample[]): Record<Coin, number> {
  return mapCoins((coin) => {
    const rows = results.filter((row) => row.offsetS === 0 && row.coin === coin)
    return rows.length === 0 ? 0.5 : rows.filter(({ isUp }) => isUp).length / rows.length
  })
}

/** Thirds of each coin's windows by the volatility of the hour before. */
function createTerciles(results: readonly OutOfSample[]): (row: OutOfSample) => string {
  const bounds = new Map(
    COINS.map((coin) => {
      const sorted = results
        .filter((row) => row.coin === coin && row.offsetS === 0)
        .map(({ hourVolatility }) => hourVolatility)
        .sort((a, b) => a - b)
      const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
      return [coin, [at(1 / 3), at(2 / 3)] as const]
    }),
  )
  return ({ coin, hourVolatility }) => {
    const [low = 0, high = 0] = bounds.get(coin) ?? []
    return hourVolatility < low ? TERCILES[0] : hourVolatility < high ? TERCILES[1] : TERCILES[2]
  }
}

function yearOf({ windowStartS }: OutOfSample): string {
  return String(new Date(windowStartS * 1000).getUTCFullYear())
}
