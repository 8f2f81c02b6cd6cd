import { z } from 'zod'
import { type Model, OFFSETS_MIN } from '../model.ts'
import { OWN_FEATURE_VERSION, OWN_FEATURES } from './own-features.ts'

const Trained = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  minutes: z.int(),
  windows: z.int(),
  /** SHA-256 over the digests of the files it was fitted to, by name. */
  data_sha256: z.string().regex(/^[0-9a-f]{64}$/),
})

const OwnModel = z.object({
  /** Of the whole, the shipped model and what is added to it: part of every prediction. */
  name: z.string().min(1),
  /** Name of the shipped model that it was measured with. */
  base: z.string().min(1),
  own_feature_version: z.int(),
  own_features: z.array(z.string()),
  trained: Trained,
  /** By minute of the window: what a unit of each feature adds to the logit. */
  weights: z.array(z.array(z.number()).length(OWN_FEATURES.length)).length(OFFSETS_MIN.length),
  /** Out-of-sample figures against the model before, for readers only. */
  metrics: z.record(z.string(), z.unknown()),
})
export type OwnModel = z.infer<typeof OwnModel>

/** Throws for what was learnt from other inputs, or on top of another shipped model. */
export function parseOwnModel(json: unknown, base: Model): OwnModel {
  const version = z.object({ own_feature_version: z.int() }).safeParse(json)
  if (version.success && version.data.own_feature_version !== OWN_FEATURE_VERSION)
    throw new Error(
      `it is of feature version ${version.data.own_feature_version}, this program of ${OWN_FEATURE_VERSION}`,
    )
  const model = OwnModel.parse(json)
  const known = OWN_FEATURES.every((name, at) => model.own_features[at] === name)
  if (!known || model.own_features.length !== OWN_FEATURES.length)
    throw new Error('it names other features than this program has')
  if (model.base !== base.name)
    throw new Error(`it was learnt on top of the model ${model.base}, and this program has ${base.name}`)
  return model
}
