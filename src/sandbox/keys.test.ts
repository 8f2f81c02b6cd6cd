import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
