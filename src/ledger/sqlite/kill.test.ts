import { join } from 'node:path'
import { expect, test } from 'vitest'
import { killWhileWriting } from '../../testing/kill-while-writing.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { searchSize } from '../../testing/search-size.ts'
import { inspectLedger } from '../files/ledger-file.ts'
import { openSqliteStore } from './store.ts'

const KILLS = searchSize('kills')
const STEPS = ['claimed', 'settling', 'settled']
const writer = new URL('../../testing/ledger/kill-writer.ts', import.meta.url)

test(`kill -9 in the middle of writing loses no acknowledged step, ${KILLS} times`, {
  timeout: 300_000,
}, async () => {
  const file = join(temporaryDir(), 'ledger.sqlite')
  const acknowledged = new Map<string, string>()
  for (let n = 0; n < KILLS; n++) {
    const lines = await killWhileWriting(writer, [file, `run${n}`], 20 + ((n * 37) % 180))
    for (const line of lines) {
      const [key = '', step = ''] = line.split(' ')
      acknowledged.set(key, step)
    }
  }
  const store = openSqliteStore(file)
  let lost = 0
  for (const [key, step] of acknowledged) {
    const row = await store.payments.find(key)
    const isKept = row !== undefined && STEPS.indexOf(row.state) >= STEPS.indexOf(step)
    const isWhole = row?.state === 'claimed' || row?.reply?.text === `reply to ${key}`
    if (!isKept || !isWhole) lost++
  }
  await store.close()
  console.info(`ledger kills: ${KILLS} kills, ${acknowledged.size} acknowledged sales, ${lost} lost`)
  expect(lost).toBe(0)
  expect(acknowledged.size).toBeGreaterThan(KILLS)
  expect(inspectLedger(file).payments).toBeGreaterThanOrEqual(acknowledged.size)
})
