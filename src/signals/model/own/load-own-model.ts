import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeError } from '../../../core/describe-error.ts'
import { loadModel } from '../load-model.ts'
import type { Model } from '../model.ts'
import { type OwnModel, parseOwnModel } from './own-model.ts'

/** In the data directory, written by `./tollbook train --own`. */
export const ownModelFile = (dataDir: string): string => join(dataDir, 'own-model.json')

/** `fault`: why what was learnt from own history is not used. `knowsMs`: the end of what the model was fitted to. */
export type ChosenModel = { model: Model; knowsMs: number; fault: string | undefined }

/** The shipped model, with what was learnt from own history where there is any. */
export function chooseModel(dataDir: string, base: Model = loadModel()): ChosenModel {
  const file = ownModelFile(dataDir)
  const shipped = { model: base, knowsMs: Date.parse(base.trained.to) }
  if (!existsSync(file)) return { ...shipped, fault: undefined }
  try {
    const own = parseOwnModel(JSON.parse(readFileSync(file, 'utf8')), base)
    return { model: withOwn(base, own), knowsMs: Date.parse(own.trained.to), fault: undefined }
  } catch (error) {
    const next = 'the shipped model is used instead; run ./tollbook train --own, or delete the file'
    return { ...shipped, fault: `${file} cannot be used, ${describeError(error)}: ${next}` }
  }
}

export function withOwn(base: Model, { name, weights }: Pick<OwnModel, 'name' | 'weights'>): Model {
  return { ...base, name, ownWeights: weights }
}
