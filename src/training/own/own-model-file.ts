import { createHash } from 'node:crypto'
import type { Model } from '../../signals/model/model.ts'
import { OWN_FEATURE_VERSION, OWN_FEATURES } from '../../signals/model/own/own-features.ts'
import { type OwnModel, parseOwnModel } from '../../signals/model/own/own-model.ts'
import type { Gain } from './compare.ts'
import type { Lesson } from './learn-own.ts'

const SIGNIFICANT = 7
const METRIC_DIGITS = 7
const NAME_DIGEST_CHARS = 8

/** As it is stored. Its name ends in a digest of its numbers, after that of the model it belongs to. */
export function toOwnModel(
  base: Model,
  { weights, rows, dataset, comparison }: Lesson,
  sha256: string,
): OwnModel {
  const rounded = weights.map((head) => head.map((weight) => Number(weight.toPrecision(SIGNIFICANT))))
  const digest = createHash('sha256').update(JSON.stringify(rounded)).digest('hex')
  const ends = dataset.flatMap(({ endMs }) => [endMs[0] ?? 0, endMs.at(-1) ?? 0])
  const model = {
    name: `${base.name}-own-${OWN_FEATURE_VERSION}-${digest.slice(0, NAME_DIGEST_CHARS)}`,
    base: base.name,
    own_feature_version: OWN_FEATURE_VERSION,
    own_features: OWN_FEATURES,
    trained: {
      from: new Date(Math.min(...ends)).toISOString(),
      to: new Date(Math.max(...ends)).toISOString(),
      minutes: dataset.reduce((sum, { count }) => sum + count, 0),
      windows: rows.filter(({ offset }) => offset === 0).length,
      data_sha256: sha256,
    },
    weights: rounded,
    metrics: {
      days: comparison.overall.days,
      log_loss_gain: brief(comparison.overall),
      ...Object.fromEntries(
        comparison.byOffset.map((gain) => [`log_loss_gain_${gain.offsetS}`, brief(gain)]),
      ),
    },
  }
  return parseOwnModel(model, base)
}

const brief = ({ gain, interval }: Gain) => ({ mean: round(gain), ci95: interval.map(round) })
const round = (value: number) => Number(value.toFixed(METRIC_DIGITS))
