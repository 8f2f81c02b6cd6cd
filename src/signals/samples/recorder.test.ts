import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { COINS } from '../../core/coin.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { createKeptLog } from '../../testing/kept-log.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { FIRST_MS } from '../../testing/signals/random-candles.ts'
import { blankModel } from '../../testing/signals/sample-model.ts'
import { createSampledWorld } from '../../testing/signals/sampled-world.ts'
import { findDays, readDay } from './files/day-files.ts'
import { createLineReader } from './files/read-lines.ts'
import type { KeptMinute } from './files/sample-line.ts'
import { createRecorder } from './recorder.ts'

const WARM = 730
const endOf = (minute: number) => FIRST_MS + (WARM + minute) * MINUTE_MS
const worldOf = (count: number) =>
  createSampledWorld({ model: blankModel(), warm: WARM, count: WARM + count })

async function read(folder: string) {
  const reader = createLineReader()
  const minutes: KeptMinute[] = []
  for (const file of await findDays(folder)) minutes.push(...reader.read(await readDay(file)))
  return { minutes, counts: reader.counts }
}

// The world begins at the end of a minute, at which it looks for the first time.
test('a first start keeps the venue’s past, later minutes with what was seen, a restart goes on where it was', async () => {
  const folder = join(temporaryDir(), 'history')
  const world = worldOf(6)
  const open = () => createRecorder({ ...world, log: createKeptLog(), folder, days: 5 })
  const first = open()
  for (const minute of [1, 2, 3]) {
    world.minute(endOf(minute))
    await first.turn()
  }
  await first.stop()
  world.minute(endOf(4))
  const second = open()
  for (const minute of [5, 6]) {
    world.minute(endOf(minute))
    await second.turn()
  }
  await second.stop()
  const { minutes, counts } = await read(folder)
  expect(counts).toEqual({ minutes: COINS.length * (WARM + 6), damaged: 0, repeated: 0 })
  for (const coin of COINS) {
    const own = minutes.filter((minute) => minute.coin === coin)
    expect(own.map(({ candle }) => candle)).toEqual(world.candles[coin])
    expect(own.map(({ sample }) => sample !== undefined)).toEqual(own.map((_, at) => at >= WARM - 1))
    expect(own.at(-1)?.sample).toEqual(world.samples.at(coin, endOf(6)))
  }
  expect(second.health()).toMatchObject({ days: 1, newestMs: endOf(5), fault: undefined })
})

test('what was seen is kept without a candle that never came', async () => {
  const folder = temporaryDir()
  const world = worldOf(2)
  const recorder = createRecorder({ ...world, log: createKeptLog(), folder, days: 5 })
  world.minute(endOf(1))
  await recorder.turn()
  // Trades went missing at the venue: the minute is neither final nor known to be lost.
  world.trade('BTC', endOf(1) + 40_000, 100)
  world.clock.advanceTo(endOf(2) + 30_000)
  await recorder.stop()
  const before = (await read(folder)).minutes.filter(({ coin }) => coin === 'BTC')
  expect(before.at(-1)?.openMs).toBe(endOf(0))
  world.clock.advanceTo(endOf(2) + 11 * MINUTE_MS)
  await recorder.turn()
  const after = (await read(folder)).minutes.filter(({ coin }) => coin === 'BTC')
  expect(after[before.length]).toMatchObject({ openMs: endOf(1), candle: undefined })
  expect(after[before.length]?.sample).toBeDefined()
})

test('a folder that cannot be written is one line in the log and a fault, until it can be: nothing is lost', async () => {
  const dataDir = temporaryDir()
  const folder = join(dataDir, 'history')
  // A file in its place fails for every user, as a full disk does.
  writeFileSync(folder, '')
  const world = worldOf(4)
  const log = createKeptLog()
  const recorder = createRecorder({ ...world, log, folder, days: 5 })
  for (const minute of [1, 2]) {
    world.minute(endOf(minute))
    await recorder.turn()
  }
  expect(recorder.health()).toMatchObject({ fault: 'EEXIST', newestMs: undefined })
  expect(log.lines.map(({ level, text }) => [level, text])).toEqual([
    ['warn', 'the history cannot be written'],
  ])
  rmSync(folder)
  world.minute(endOf(3))
  await recorder.stop()
  expect(recorder.health()).toMatchObject({ fault: undefined, newestMs: endOf(2) })
  expect(log.lines.at(-1)?.text).toBe('the history is written again')
  expect((await read(folder)).minutes.filter(({ sample }) => sample)).toHaveLength((1 + 3) * COINS.length)
})

test('older days are deleted at the first turn', async () => {
  const folder = temporaryDir()
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o700)
  for (const day of ['2025-01-03', '2025-01-04', '2025-01-05'])
    writeFileSync(join(folder, `samples-1-${day}.csv`), '')
  const world = worldOf(1)
  const recorder = createRecorder({ ...world, log: createKeptLog(), folder, days: 2 })
  world.minute(endOf(1))
  await recorder.stop()
  expect(readdirSync(folder).sort()).toEqual(['samples-1-2025-01-05.csv.gz', 'samples-1-2025-01-06.csv'])
})
