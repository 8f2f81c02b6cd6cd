import type { Judged } from '../judge.ts'
import { scoresOf } from './scores.ts'

const OFFSETS_S = [0, 60, 120, 180, 240] as const
const DIGITS = 6

/** The figures of a backtest, by seconds into the window. The reference is the base rate at the start, Φ(z) inside. */
export function metricsOf(judged: readonly Judged[]): Record<string, unknown> {
  const offsets = OFFSETS_S.flatMap((offsetS) => {
    const rows = judged.filter((each) => each.offsetS === offsetS)
    return rows.length === 0 ? [] : [[String(offsetS), describe(rows, offsetS)] as const]
  })
  return { offsets: Object.fromEntries(offsets) }
}

function describe(rows: readonly Judged[], offsetS: number) {
  const baseRate = rows.filter(({ isUp }) => isUp).length / rows.length
  const scores = scoresOf({
    startsS: Float64Array.from(rows, ({ windowStartS }) => windowStartS),
    probabilities: Float64Array.from(rows, ({ probabilityUp }) => probabilityUp),
    outcomes: Uint8Array.from(rows, ({ isUp }) => Number(isUp)),
    reference: Float64Array.from(rows, ({ diffusion }) => (offsetS === 0 ? baseRate : diffusion)),
  })
  return {
    count: scores.count,
    days: scores.days,
    hit_rate: round(scores.hit),
    hit_rate_ci95: scores.hitInterval.map(round),
    brier: round(scores.brier),
    log_loss: round(scores.logLoss),
    ece: round(scores.ece),
    ece_noise_floor: round(scores.eceNoiseFloor),
    base_rate: round(scores.baseRate),
    reference: offsetS === 0 ? 'base_rate' : 'diffusion',
    reference_brier: round(scores.referenceBrier),
    brier_skill: round(scores.skill),
    brier_skill_ci95: scores.skillInterval.map(round),
    selective: scores.selective.map(({ share, count, hit, stated }) => ({
      share,
      count,
      hit_rate: round(hit),
      stated: round(stated),
    })),
  }
}

/** JSON has no NaN: a figure over no windows is null. */
function round(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toFixed(DIGITS)) : null
}
