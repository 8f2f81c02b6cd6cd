import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../../../core/time/time.ts'
import { killWhileWriting } from '../../../testing/kill-while-writing.ts'
import { temporaryDir } from '../../../testing/ledger/temporary-dir.ts'
import { searchSize } from '../../../testing/search-size.ts'
import { HISTORY_START_MS, sampleHistory } from '../../../testing/signals/sample-history.ts'
import { toSample } from '../minute-sample.ts'
import { appendLines } from './append-lines.ts'
import { dayPath, findDays, forgetDays, packDays, readDay } from './day-files.ts'
import { createLineReader } from './read-lines.ts'
import { HEADER, type KeptMinute, parseLine, toLine } from './sample-line.ts'

const all = sampleHistory({ seed: 'files', coins: ['BTC', 'XRP'], days: 1 })
const some = all.filter(({ openMs }) => openMs < HISTORY_START_MS + 50 * MINUTE_MS)
const readAll = (text: string) => {
  const reader = createLineReader()
  return { minutes: [...reader.read(text)], counts: reader.counts }
}

test('a minute reads back as it was written; what is unknown stays unknown', () => {
  for (const minute of all) expect(parseLine(toLine(minute))).toEqual(minute)
  const [first] = all as [KeptMinute]
  const bare = { ...first, candle: undefined, sample: toSample({ late_ms: 0, basis_bps: 0 }) }
  expect(parseLine(toLine(bare))).toEqual(bare)
  expect(toLine(bare)).toMatch(/^\d+,BTC,,,,,,0,,/)
  const unseen = { ...first, sample: undefined }
  expect(parseLine(toLine(unseen))).toEqual(unseen)
})

test('a line cut anywhere is never taken for another minute', () => {
  const [first] = all as [KeptMinute]
  const line = toLine(first)
  for (let length = 0; length < line.length; length++) {
    const { minutes, counts } = readAll(`${HEADER}\n${line.slice(0, length)}`)
    expect([minutes, counts.damaged]).toEqual([[], length === 0 ? 0 : 1])
    // The next process ends it before it goes on.
    expect(readAll(`${line.slice(0, length)}~\n${line}\n`)).toMatchObject({
      minutes: [first],
      counts: { damaged: 1 },
    })
  }
})

test('a writer goes on behind a torn line, and repeated minutes are taken once', async () => {
  const path = join(temporaryDir(), 'day.csv')
  await appendLines(path, some.map(toLine))
  truncateSync(path, readFileSync(path).length - 7)
  const last = some.at(-1) as KeptMinute
  await appendLines(path, [toLine(last), toLine(some[0] as KeptMinute)])
  const { minutes, counts } = readAll(readFileSync(path, 'latin1'))
  expect(minutes).toEqual(some)
  expect(counts).toEqual({ minutes: some.length, damaged: 1, repeated: 1 })
  appendFileSync(path, '\0\0\0\0\n')
  expect(readAll(readFileSync(path, 'latin1')).counts).toMatchObject({ minutes: some.length, damaged: 2 })
})

test('a day is packed when it is over, in parts where more of it came later, and forgotten in time', async () => {
  const folder = temporaryDir()
  const path = dayPath(folder, HISTORY_START_MS)
  await appendLines(path, some.slice(0, 10).map(toLine))
  await packDays(folder, HISTORY_START_MS + DAY_MS)
  expect(existsSync(path)).toBe(true)
  const laterMs = HISTORY_START_MS + DAY_MS + 3_600_000
  await packDays(folder, laterMs)
  expect([existsSync(path), existsSync(`${path}.gz`)]).toEqual([false, true])
  await appendLines(path, some.slice(10, 12).map(toLine))
  expect((await findDays(folder)).map(({ isPacked }) => isPacked)).toEqual([true, false])
  // Killed between writing the packed file and removing the other: the lines are there twice.
  const loose = readFileSync(path)
  await packDays(folder, laterMs)
  writeFileSync(path, loose)
  const reader = createLineReader()
  const read: KeptMinute[] = []
  for (const file of await findDays(folder)) read.push(...reader.read(await readDay(file)))
  expect(read).toEqual(some.slice(0, 12))
  expect(reader.counts).toEqual({ minutes: 12, damaged: 0, repeated: 2 })
  expect(
    gunzipSync(readFileSync(`${path}.gz`))
      .toString()
      .split('\n')[0],
  ).toBe(HEADER)

  writeFileSync(join(folder, 'notes.txt'), 'of the operator')
  mkdirSync(join(folder, 'samples'))
  await forgetDays(folder, 2, HISTORY_START_MS + DAY_MS)
  expect(await findDays(folder)).toHaveLength(2)
  await forgetDays(folder, 1, HISTORY_START_MS + DAY_MS)
  expect(await findDays(folder)).toEqual([])
  expect(existsSync(join(folder, 'notes.txt'))).toBe(true)
})

const KILLS = searchSize('kills')
test(`kill -9 while a day is written damages nothing that was there, ${KILLS} times`, {
  timeout: 120_000,
}, async () => {
  const folder = temporaryDir()
  const script = new URL('../../../testing/signals/kill-recorder.ts', import.meta.url)
  let next = 0
  for (let n = 0; n < KILLS; n++) {
    const said = await killWhileWriting(script, [folder, String(next)], 10 + ((n * 37) % 90))
    const written = Number(said.at(-1))
    const [file] = await findDays(folder)
    const { minutes, counts } = readAll(file ? await readDay(file) : '')
    const btc = minutes.filter(({ coin }) => coin === 'BTC')
    expect(btc.length).toBeGreaterThanOrEqual(written + 1)
    expect(btc.map(({ openMs }) => openMs)).toEqual(btc.map((_, at) => HISTORY_START_MS + at * MINUTE_MS))
    expect(counts.damaged).toBeLessThanOrEqual(n + 1)
    // What was written and not said yet is written again, as after a real restart without reading back.
    next = written + 1
  }
})
