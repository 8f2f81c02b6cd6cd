import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sampleClaim } from '../../testing/ledger/sample-claim.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { searchSize } from '../../testing/search-size.ts'
import { openSqliteStore } from '../sqlite/store.ts'
import { backupDirectory } from './backup.ts'
import { refuseHalfRestored } from './half-restored.ts'
import { inspectLedger, ledgerPath } from './ledger-file.ts'
import { placeOf } from './place.ts'

const SCRIPT = fileURLToPath(new URL('../../testing/ledger/kill-restore.ts', import.meta.url))
/** Every operation in the full search, every few in a run of the tests. */
const STEP = searchSize('crash-step')
const KEYS = ['sandbox-keys.json', 'service-key.json']

/** A directory whose ledger holds this many payments, with keys that say so. */
async function directoryOf(payments: number) {
  const dataDir = temporaryDir()
  const store = openSqliteStore(ledgerPath(dataDir))
  await store.identity.save({
    ledgerId: 'a'.repeat(32),
    mode: 'paper',
    payTo: { evm: 'e', svm: 's' },
    place: placeOf(ledgerPath(dataDir)),
  })
  for (let n = 0; n < payments; n++) await store.payments.claim(sampleClaim(`k${n}`))
  await store.close()
  for (const name of KEYS) writeFileSync(join(dataDir, name), `${name} of ${payments}`)
  return dataDir
}

/** How many payments ledger and keys are of; undefined where they are of different times. */
function stateOf(dataDir: string): number | undefined {
  const { payments } = inspectLedger(ledgerPath(dataDir))
  const texts = KEYS.map((name) => readFileSync(join(dataDir, name), 'utf8'))
  return texts.every((text, n) => text === `${KEYS[n]} of ${payments}`) ? payments : undefined
}

const isHalfRestored = (dataDir: string) => {
  try {
    refuseHalfRestored(dataDir)
    return false
  } catch {
    return true
  }
}

/** What was in the directory is somewhere in it still, under its name or beside it. */
function keepsOld(dataDir: string): boolean {
  const files = readdirSync(dataDir)
  const hasKey = (name: string) =>
    files.some(
      (file) => file.startsWith(name) && readFileSync(join(dataDir, file), 'utf8') === `${name} of 2`,
    )
  const ledgers = files.filter((file) =>
    /^ledger\.sqlite(\.before-restore-[^-]+-\d\d-\d\dT[\d.-]+Z)?$/.test(file),
  )
  return KEYS.every(hasKey) && ledgers.some((file) => inspectLedger(join(dataDir, file)).payments === 2)
}

test('a restore that is killed at any file operation loses nothing, and the next one finishes it', async () => {
  const backup = join(temporaryDir(), 'saved.sqlite')
  backupDirectory({ dataDir: await directoryOf(1), target: backup, passphrase: undefined })
  const original = await directoryOf(2)
  const restore = (dataDir: string, killAt: number) =>
    spawnSync(process.execPath, [SCRIPT, dataDir, backup, String(killAt)], { encoding: 'utf8' })
  let [kills, half] = [0, 0]
  for (let at = 0; ; at += STEP) {
    const dataDir = temporaryDir()
    cpSync(original, dataDir, { recursive: true })
    const { signal, stdout, stderr } = restore(dataDir, at)
    if (signal !== 'SIGKILL') {
      expect([stderr, Number(stdout) <= at]).toEqual(['', true])
      break
    }
    kills++
    expect([at, keepsOld(dataDir)]).toEqual([at, true])
    if (isHalfRestored(dataDir)) half++
    else expect([at, stateOf(dataDir)]).toEqual([at, expect.any(Number)])
    expect(restore(dataDir, -1).stderr).toBe('')
    expect([at, stateOf(dataDir), isHalfRestored(dataDir), keepsOld(dataDir)]).toEqual([at, 1, false, true])
    expect(existsSync(join(dataDir, 'restoring.draft'))).toBe(false)
  }
  console.info(
    `restore kills: ${kills} in steps of ${STEP}, ${half} of them left a directory that no service starts on`,
  )
  expect(kills).toBeGreaterThan(5)
  expect(half).toBeGreaterThan(0)
})
