import { createHash } from 'node:crypto'
import { FEATURE_VERSION, FEATURES } from '../signals/model/features.ts'
import { type Model, parseModel } from '../signals/model/model.ts'
import type { Fit } from './fit/fit-model.ts'
import type { Rows } from './history/dataset.ts'
import type { OffsetReport } from './report/report.ts'

const WINDOW_MS = 300_000
const NAME = 'five-minute'
const NAME_DIGEST_CHARS = 8
/** Coefficients are significant to two or three digits: seven lose nothing. */
const SIGNIFICANT = 7
const METRIC_DIGITS = 6

type Story = {
  fit: Fit
  dataset: readonly Rows[]
  dataSha256: string
  abstainBelow: number
  reports: readonly OffsetReport[]
}

/** The model as it is stored. Its name ends in a digest of its numbers: two models never share one. */
export function toModel({ fit, dataset, dataSha256, abstainBelow, reports }: Story): Model {
  const numbers = roundAll({ volatility: fit.volatility, profile: fit.profile, heads: fit.heads })
  const digest = createHash('sha256').update(JSON.stringify(numbers)).digest('hex')
  const ends = dataset.flatMap(({ endMs }) => [endMs[0] ?? 0, endMs.at(-1) ?? 0])
  return parseModel({
    name: `${NAME}-${FEATURE_VERSION}-${digest.slice(0, NAME_DIGEST_CHARS)}`,
    feature_version: FEATURE_VERSION,
    features: FEATURES,
    trained: {
      from: new Date(Math.min(...ends)).toISOString(),
      to: new Date(Math.max(...ends)).toISOString(),
      minutes: dataset.reduce((sum, { count }) => sum + count, 0),
      windows: dataset.reduce((sum, rows) => sum + windowsOf(rows), 0),
      data_sha256: dataSha256,
    },
    ...numbers,
    abstain_below: abstainBelow,
    metrics: Object.fromEntries(reports.map(({ offsetS, overall }) => [String(offsetS), brief(overall)])),
  })
}

function windowsOf({ endMs, isUsable }: Rows): number {
  return endMs.reduce((sum, end, row) => sum + (isUsable[row] && end % WINDOW_MS === 0 ? 1 : 0), 0)
}

function brief({ count, hit, brier, skill, skillInterval, ece, eceNoiseFloor }: OffsetReport['overall']) {
  const round = (value: number) => Number(value.toFixed(METRIC_DIGITS))
  return {
    out_of_sample_windows: count,
    hit_rate: round(hit),
    brier: round(brier),
    brier_skill: round(skill),
    brier_skill_ci95: skillInterval.map(round),
    ece: round(ece),
    ece_noise_floor: round(eceNoiseFloor),
  }
}

function roundAll<T>(value: T): T {
  return JSON.parse(
    JSON.stringify(value, (_, each) =>
      typeof each === 'number' ? Number(each.toPrecision(SIGNIFICANT)) : each,
    ),
  )
}
