import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runCandles } from '../src/backtest/run-candles.ts'
import { COINS } from '../src/core/coin.ts'
import { silentLog } from '../src/core/log.ts'
import { createRandomStream } from '../src/core/math/random.ts'
import { MINUTE_MS } from '../src/core/time/time.ts'
import { WARM_MINUTES } from '../src/signals/model/features.ts'
import { OFFSETS_MIN } from '../src/signals/model/model.ts'
import { chooseModel, ownModelFile } from '../src/signals/model/own/load-own-model.ts'
import { OWN_FEATURE_VERSION, OWN_FEATURES } from '../src/signals/model/own/own-features.ts'
import { historyFolder } from '../src/signals/samples/files/day-files.ts'
import { createRecorder } from '../src/signals/samples/recorder.ts'
import { temporaryDir } from '../src/testing/ledger/temporary-dir.ts'
import { FIRST_MS } from '../src/testing/signals/random-candles.ts'
import { sampleModel } from '../src/testing/signals/sample-model.ts'
import { createSampledWorld } from '../src/testing/signals/sampled-world.ts'
import { readOwnHistory } from '../src/training/own/own-history.ts'

const LIVED_MIN = 120
const base = sampleModel('same')

/** A file as `train --own` writes it, with weights that matter. */
function adopt(dataDir: string): void {
  const random = createRandomStream('own', 'weights')
  const weights = OFFSETS_MIN.map((offset) =>
    OWN_FEATURES.map((_, at) =>
      Number((0.3 * random.normal(offset * OWN_FEATURES.length + at)).toPrecision(7)),
    ),
  )
  const trained = {
    from: '2025-01-01T00:00:00Z',
    to: '2025-02-01T00:00:00Z',
    minutes: 1,
    windows: 1,
    data_sha256: 'ab'.repeat(32),
  }
  const file = {
    name: `${base.name}-own-1-test`,
    base: base.name,
    own_feature_version: OWN_FEATURE_VERSION,
    own_features: OWN_FEATURES,
    trained,
    weights,
    metrics: {},
  }
  writeFileSync(ownModelFile(dataDir), JSON.stringify(file))
}

test('the engine says with an adopted model, bit by bit, what the training computes from the recorded files', async () => {
  const dataDir = temporaryDir()
  adopt(dataDir)
  const { model, fault } = chooseModel(dataDir, base)
  expect([model.name, fault]).toEqual([`${base.name}-own-1-test`, undefined])
  const world = createSampledWorld({ model, warm: WARM_MINUTES, count: WARM_MINUTES + LIVED_MIN })
  const folder = historyFolder(dataDir)
  const recorder = createRecorder({ ...world, log: silentLog, folder, days: 9 })
  const live = new Map<string, number | undefined>()
  for (let minute = WARM_MINUTES + 1; minute <= WARM_MINUTES + LIVED_MIN; minute++) {
    const endMs = FIRST_MS + minute * MINUTE_MS
    world.minute(endMs)
    for (const coin of COINS) live.set(`${coin} ${endMs / 1000}`, world.engine.signal(coin)?.probabilityUp)
    await recorder.turn()
  }
  await recorder.stop()
  expect(recorder.health()).toMatchObject({ fault: undefined })

  const { stretches, counts } = await readOwnHistory(folder, () => {})
  expect(counts).toEqual({ minutes: 4 * (WARM_MINUTES + LIVED_MIN), damaged: 0, repeated: 0 })
  let [compared, moved] = [0, 0]
  for (const { coin, candles, sampleAt } of stretches) {
    expect(candles).toEqual(world.candles[coin])
    const context = stretches.filter((other) => other.coin !== coin).map((other) => other.candles)
    const without = new Map(
      [...runCandles({ model, candles, context })].map(({ asOfS, probabilityUp }) => [asOfS, probabilityUp]),
    )
    for (const { asOfS, probabilityUp } of runCandles({ model, candles, context, sampleAt })) {
      const said = live.get(`${coin} ${asOfS}`)
      // The window that was open at the start has no opening price.
      if (said === undefined) continue
      expect([coin, asOfS, said]).toEqual([coin, asOfS, probabilityUp])
      compared++
      if (Math.abs(probabilityUp - (without.get(asOfS) ?? 0)) > 0.01) moved++
    }
  }
  expect(compared).toBeGreaterThan(4 * (LIVED_MIN - 6))
  // What was learnt makes a difference nearly everywhere.
  expect(moved).toBeGreaterThan(0.8 * compared)
})
