import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLedger } from '../../app/ledger/open-ledger.ts'
import { readConfig } from '../../config/config.ts'
import { silentLog } from '../../core/log.ts'
import { systemClock } from '../../core/time/clock.ts'
import { openServiceKey } from '../../payments/receipts/service-key.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { createRecordWorld } from '../../testing/record/record-world.ts'

const main = new URL('../main.ts', import.meta.url).pathname

function tollbook(dataDir: string, ...args: string[]) {
  const env = { PATH: process.env.PATH, TOLLBOOK_DATA_DIR: dataDir, PORT: '0' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { env, encoding: 'utf8' })
  return { status, text: stdout + stderr }
}

async function stoppedService(): Promise<string> {
  const dataDir = temporaryDir()
  const config = readConfig({ TOLLBOOK_DATA_DIR: dataDir })
  const { store, close } = await openLedger({ config, clock: systemClock, log: silentLog })
  const key = openServiceKey(dataDir)
  const world = createRecordWorld({ book: store.record, key })
  await world.keeper.start()
  await world.windows(1)
  await world.keeper.stop()
  await close()
  return dataDir
}

test('a start without its key is refused and makes none; the command it names helps', async () => {
  const dataDir = await stoppedService()
  const keyFile = join(dataDir, 'service-key.json')
  rmSync(keyFile)
  const before = readdirSync(dataDir)
  const refused = tollbook(dataDir, 'serve')
  expect(refused).toMatchObject({
    status: 1,
    text: expect.stringMatching(
      /^tollbook: .*service-key\.json is missing, and a record of 4 leaves was signed with did:key:/,
    ),
  })
  expect(refused.text).toContain('./tollbook rotate-key --lost')
  expect(readdirSync(dataDir)).toEqual(before)

  const lost = tollbook(dataDir, 'rotate-key', '--lost')
  expect(lost.text).toMatch(
    /^the service key did:key:\w+ is replaced\nthe service key is now did:key:\w+\nentry key-1 of the record, leaf 4, signed by the new key only\n$/,
  )
  expect(lost.status).toBe(0)
  expect(existsSync(keyFile)).toBe(true)
  expect(tollbook(dataDir, 'rotate-key', '--lost')).toMatchObject({
    status: 1,
    text: expect.stringContaining('leave out --lost'),
  })
})

test('a damaged key is kept aside, and unknown options say how it is used', async () => {
  const dataDir = await stoppedService()
  writeFileSync(join(dataDir, 'service-key.json'), '')
  expect(tollbook(dataDir, 'rotate-key')).toMatchObject({
    status: 1,
    text: expect.stringMatching(/the service key is damaged in .*restore <backup>.*--lost/),
  })
  expect(tollbook(dataDir, 'rotate-key', '--lost')).toMatchObject({
    status: 0,
    text: expect.stringMatching(/the key file before it is kept as .*service-key\.json\.former-/),
  })
  expect(tollbook(dataDir, 'rotate-key', '--gone')).toMatchObject({
    status: 2,
    text: expect.stringContaining('usage: tollbook rotate-key [--lost]'),
  })
})

test('a copy of a directory gets no new key until it is adopted', async () => {
  const copy = join(temporaryDir(), 'copy')
  cpSync(await stoppedService(), copy, { recursive: true })
  const key = readFileSync(join(copy, 'service-key.json'))
  const refused = tollbook(copy, 'rotate-key')
  expect(refused).toMatchObject({ status: 1, text: expect.stringContaining('./tollbook adopt') })
  expect(readFileSync(join(copy, 'service-key.json'))).toEqual(key)
  expect(tollbook(copy, 'adopt', '--yes').status).toBe(0)
  expect(tollbook(copy, 'rotate-key').status).toBe(0)
})

test('a backup says when the key is not the one that signed', async () => {
  const dataDir = await stoppedService()
  const whole = tollbook(dataDir, 'backup', join(temporaryDir(), 'whole'))
  expect(whole.text).not.toContain('THE KEY')
  writeFileSync(join(dataDir, 'service-key.json'), 'x')
  const broken = tollbook(dataDir, 'backup', join(temporaryDir(), 'broken'))
  expect(broken.text).toMatch(/THE KEY is damaged: a record of 4 leaves was signed with did:key:/)
})
