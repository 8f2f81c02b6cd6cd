import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openTokenKeys } from '../../src/access/wallet/token-keys.ts'
import { openLedger } from '../../src/app/ledger/open-ledger.ts'
import { readConfig } from '../../src/config/config.ts'
import { silentLog } from '../../src/core/log.ts'
import { systemClock } from '../../src/core/time/clock.ts'
import { liveEnvironment } from '../../src/testing/config/live-environment.ts'
import { temporaryDir } from '../../src/testing/ledger/temporary-dir.ts'
import { broken, state } from './examined.ts'

const paper = { TOLLBOOK_MODE: 'paper' }

describe('the data directory', () => {
  test('a disk that is full is a failure, one with little space a warning', async () => {
    expect(await state(paper, 'disk', { free: () => 50e6 })).toMatchObject(broken('47 MB free'))
    expect(await state(paper, 'disk', { free: () => 500e6 })).toMatchObject({ state: 'warning' })
  })

  test('keys and backups that others can read are named, each with its mode', async () => {
    const dir = temporaryDir()
    mkdirSync(join(dir, 'backups'))
    for (const name of ['service-key.json', 'operator-key', 'backups/backup-20260105T120000000Z.sqlite'])
      writeFileSync(join(dir, name), 'x', { mode: 0o644 })
    writeFileSync(join(dir, 'evm-state.json'), '{}', { mode: 0o644 })
    const found = await state({ ...paper, TOLLBOOK_DATA_DIR: dir }, 'private-files')
    expect(found).toMatchObject({ state: 'failure', what: expect.stringContaining('3 private files') })
    expect(found?.next.join()).toContain(`chmod 600 ${join(dir, 'service-key.json')} (it is 0644)`)
  })

  test('one that others may write is named', async () => {
    const dir = temporaryDir()
    chmodSync(dir, 0o777)
    const env = { ...paper, TOLLBOOK_DATA_DIR: dir }
    expect(await state(env, 'data-directory')).toMatchObject(broken('others may write'))
  })

  test('a damaged ledger and one whose keys alone are left are named', async () => {
    const dir = temporaryDir()
    writeFileSync(join(dir, 'service-key.json'), '{}', { mode: 0o600 })
    const env = { ...paper, TOLLBOOK_DATA_DIR: dir }
    expect(await state(env, 'ledger')).toMatchObject(broken('a ledger that was here is lost'))
    writeFileSync(join(dir, 'ledger.sqlite'), 'x'.repeat(4096), { mode: 0o600 })
    expect(await state(env, 'ledger')).toMatchObject(broken('is not a database'))
    // Advice about the keys in it would send people the wrong way.
    for (const name of ['service-key', 'operator-keys', 'bot'])
      expect(await state(env, name)).toMatchObject({
        state: 'skipped',
        what: expect.stringContaining('of the ledger'),
      })
  })
})

test('keys of tokens that cannot be read are named, and are neither made nor changed', async () => {
  const dir = temporaryDir()
  const file = join(dir, 'token-keys.json')
  const env = { ...paper, TOLLBOOK_DATA_DIR: dir }
  expect(await state(env, 'token-keys')).toMatchObject({
    state: 'ok',
    what: expect.stringContaining('none yet'),
  })
  expect(existsSync(file)).toBe(false)
  const { kid } = openTokenKeys(dir, systemClock).signer()
  expect(await state(env, 'token-keys')).toMatchObject({ state: 'ok', what: expect.stringContaining(kid) })
  const good = readFileSync(file, 'utf8')
  for (const bad of ['', good.slice(0, -9), '{}', good.replace(/"d":"[^"]+"/, '"d":"AA"')]) {
    writeFileSync(file, bad)
    const found = await state(env, 'token-keys')
    expect(found).toMatchObject(broken('token-keys.json is damaged'))
    expect(found?.next.join()).toContain('restore <backup> --keys-only --force')
    expect(readFileSync(file, 'utf8')).toBe(bad)
  }
})

test('without a working key it says to make one, and to start first only where there is no ledger', async () => {
  const env = { ...paper, TOLLBOOK_DATA_DIR: temporaryDir() }
  const nextOf = async () => (await state(env, 'operator-keys'))?.next
  expect(await nextOf()).toEqual([expect.stringMatching(/^start the service once.*keys make/)])
  const { close } = await openLedger({ config: readConfig(env), clock: systemClock, log: silentLog })
  await close()
  expect(await nextOf()).toEqual([expect.stringMatching(/^\.\/tollbook keys make/)])
})

test('a weak operator key is named, and not shown', async () => {
  const env = { ...liveEnvironment, TOLLBOOK_OPERATOR_KEY: 'k'.repeat(40) }
  const found = await state(env, 'operator-keys')
  expect(found).toMatchObject({
    state: 'warning',
    what: expect.stringMatching(/^TOLLBOOK_OPERATOR_KEY: may be guessed: (?!.*kkk)/),
  })
})
