import { z } from 'zod'
import { FEATURE_VERSION, FEATURES } from './features.ts'
import { VOLATILITY_INPUTS } from './volatility/volatility.ts'

/** Minutes into the window at which a head was fitted. */
export const OFFSETS_MIN = [0, 1, 2, 3, 4] as const

const Figure = z.number()
const Head = z.object({
  slope: Figure,
  bend: Figure,
  curve: Figure,
  tie: Figure,
  weights: z.array(Figure).length(FEATURES.length),
  intercept: Figure,
})

const Model = z.object({
  /** Part of every prediction. */
  name: z.string().min(1),
  feature_version: z.int(),
  features: z.array(z.string()),
  trained: z.object({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    minutes: z.int(),
    windows: z.int(),
    /** SHA-256 over the digests of the files it was fitted to, by name. */
    data_sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  volatility: z.object({ weights: z.array(Figure).length(VOLATILITY_INPUTS), intercept: Figure }),
  /** Variance of each minute of a window in units of its forecast. */
  profile: z.array(z.number().positive()).length(OFFSETS_MIN.length),
  heads: z.array(Head).length(OFFSETS_MIN.length),
  /** A lower confidence is indistinguishable from a coin flip. */
  abstain_below: z.number().min(0.5).max(1),
  /** Out-of-sample figures of the walk-forward, for readers only. */
  metrics: z.record(z.string(), z.unknown()),
})
export type Model = z.infer<typeof Model> & {
  /** What was learnt from own history, by minute of the window; a file of its own holds it. */
  ownWeights?: readonly (readonly number[])[]
}

/** Throws for a model that was fitted to other features: its weights would multiply the wrong numbers. */
export function parseModel(json: unknown): Model {
  const version = z.object({ feature_version: z.int() }).safeParse(json)
  if (version.success && version.data.feature_version !== FEATURE_VERSION)
    throw new Error(
      `the model is of feature version ${version.data.feature_version}, this program of ${FEATURE_VERSION}: train it anew with ./tollbook train`,
    )
  const model = Model.parse(json)
  const known = FEATURES.every((name, at) => model.features[at] === name)
  if (!known || model.features.length !== FEATURES.length)
    throw new Error(
      'the model names other features than this program has: train it anew with ./tollbook train',
    )
  return model
}
