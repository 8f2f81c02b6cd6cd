import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { searchSize } from '../../testing/search-size.ts'
import { inspectLedger } from '../files/ledger-file.ts'
import { openSqliteStore } from './store.ts'

const KILLS = searchSize('kills')
const STEPS = ['claimed', 'settling', 'settled']
const writer = fileURLToPath(new URL('../../testing/ledger/kill-writer.ts', import.meta.url))

/** Lets a process write and kills it in the middle; answers the furthest step it had acknowledged of each sale. */
async function killAWriter(file: string, run: string, afterMs: number): Promise<Map<string, string>> {
  const child = spawn(process.execPath, [writer, file, run], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  await once(child.stdout, 'data')
  await wait(afterMs)
  child.kill('SIGKILL')
  await once(child, 'close')
  const lines = said.slice(0, said.lastIndexOf('\n')).split('\n')
  return new Map(lines.map((line) => line.split(' ') as [string, string]))
}

test(`kill -9 in the middle of writing loses no acknowledged step, ${KILLS} times`, {
  timeout: 300_000,
}, async () => {
  const file = join(temporaryDir(), 'ledger.sqlite')
  const acknowledged = new Map<string, string>()
  for (let n = 0; n < KILLS; n++) {
    const steps = await killAWriter(file, `run${n}`, 20 + ((n * 37) % 180))
    for (const [key, step] of steps) acknowledged.set(key, step)
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
