import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openFacilitatorKeys, openPredictionKey, openSandboxKeys } from './keys.ts'

const freshDir = () => mkdtempSync(join(tmpdir(), 'tollbook-keys-'))

test('keys are made once and kept, readable by nobody else', () => {
  const dataDir = freshDir()
  const payTo = openSandboxKeys(dataDir)
  const keys = openFacilitatorKeys(dataDir)
  expect(openSandboxKeys(dataDir)).toEqual(payTo)
  expect(openFacilitatorKeys(dataDir).evm.reveal()).toBe(keys.evm.reveal())
  expect(openFacilitatorKeys(dataDir).svm.reveal()).toBe(keys.svm.reveal())
  expect(statSync(join(dataDir, 'sandbox-keys.json')).mode & 0o077).toBe(0)
  expect(JSON.stringify(keys)).not.toContain(keys.evm.reveal())
})

test('a file of the first version gets the key it lacks and keeps its others', () => {
  const dataDir = freshDir()
  const payTo = openSandboxKeys(dataDir)
  const file = join(dataDir, 'sandbox-keys.json')
  const { evm_facilitator: _, prediction_owner: __, ...old } = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify(old))
  const keys = openFacilitatorKeys(dataDir)
  expect(keys.evm.reveal()).toMatch(/^0x[0-9a-f]{64}$/)
  expect(openFacilitatorKeys(dataDir).evm.reveal()).toBe(keys.evm.reveal())
  const owner = openPredictionKey(dataDir).reveal()
  expect(owner).toMatch(/^0x[0-9a-f]{64}$/)
  expect(openPredictionKey(dataDir).reveal()).toBe(owner)
  expect(openFacilitatorKeys(dataDir).evm.reveal()).toBe(keys.evm.reveal())
  expect(openSandboxKeys(dataDir)).toEqual(payTo)
})

test('processes that start at once have the same keys', async () => {
  const dataDir = freshDir()
  const keys = new URL('./keys.ts', import.meta.url).href
  const atMs = Date.now() + 3_000
  const script = `import { openSandboxKeys } from ${JSON.stringify(keys)}
    while (Date.now() < ${atMs}) {}
    console.log(JSON.stringify(openSandboxKeys(${JSON.stringify(dataDir)})))`
  const open = () => promisify(execFile)(process.execPath, ['--input-type=module-typescript', '-e', script])
  const said = (await Promise.all([open(), open(), open(), open()])).map(({ stdout }) => JSON.parse(stdout))
  expect(said).toEqual(said.map(() => openSandboxKeys(dataDir)))
})
