import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { temporaryDir } from '../../../testing/ledger/temporary-dir.ts'
import { sampleModel } from '../../../testing/signals/sample-model.ts'
import { chooseModel, ownModelFile } from './load-own-model.ts'
import { OWN_FEATURE_VERSION, OWN_FEATURES } from './own-features.ts'

const base = sampleModel()
const good = {
  name: 'learnt',
  base: base.name,
  own_feature_version: OWN_FEATURE_VERSION,
  own_features: OWN_FEATURES,
  trained: {
    from: '2026-01-01T00:00:00Z',
    to: '2026-02-01T00:00:00Z',
    minutes: 1,
    windows: 1,
    data_sha256: '0a'.repeat(32),
  },
  weights: [0, 1, 2, 3, 4].map((head) => OWN_FEATURES.map(() => head)),
  metrics: {},
}
function chosenFrom(text: string) {
  const dataDir = temporaryDir()
  writeFileSync(ownModelFile(dataDir), text)
  return chooseModel(dataDir, base)
}

test('what was learnt is put on top of the shipped model', () => {
  const { model, knowsMs, fault } = chosenFrom(JSON.stringify(good))
  expect(fault).toBeUndefined()
  expect(model).toEqual({ ...base, name: 'learnt', ownWeights: good.weights })
  expect(knowsMs).toBe(Date.UTC(2026, 1, 1))
})

test('without a file the shipped model runs, and that is no fault', () => {
  expect(chooseModel(temporaryDir(), base)).toEqual({
    model: base,
    knowsMs: Date.parse(base.trained.to),
    fault: undefined,
  })
})

test.each([
  ['no JSON', '{', /JSON/],
  ['another version', JSON.stringify({ ...good, own_feature_version: 99 }), /version 99, this program of/],
  ['other features', JSON.stringify({ ...good, own_features: OWN_FEATURES.toReversed() }), /other features/],
  ['another shipped model', JSON.stringify({ ...good, base: 'older' }), /on top of the model older/],
  ['too few weights', JSON.stringify({ ...good, weights: good.weights.slice(1) }), /cannot be used/],
])('%s: the shipped model runs, and the fault says what to do', (_, text, fault) => {
  const chosen = chosenFrom(text)
  expect(chosen.model).toBe(base)
  expect(chosen.fault).toMatch(fault)
  expect(chosen.fault).toMatch(
    /own-model\.json cannot be used, [\s\S]*run \.\/tollbook train --own, or delete the file/,
  )
})
