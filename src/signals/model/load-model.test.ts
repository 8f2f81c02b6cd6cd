import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FEATURE_VERSION } from './features.ts'
import { loadModel } from './load-model.ts'

function fileOf(text: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'tollbook-model-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const file = join(dir, 'model.json')
  writeFileSync(file, text)
  return file
}

test('the model beside the program fits its features', () => {
  expect(loadModel()).toMatchObject({ feature_version: FEATURE_VERSION, name: expect.any(String) })
})

test('a model of other features is refused, and the refusal says what to do', () => {
  const other = fileOf(JSON.stringify({ ...loadModel(), feature_version: FEATURE_VERSION + 1 }))
  expect(() => loadModel(other)).toThrow(
    `the signal model ${other} cannot be used: the model is of feature version ${FEATURE_VERSION + 1}, this program of ${FEATURE_VERSION}: train it anew with ./tollbook train`,
  )
})

test('a file that is missing or no JSON is named', () => {
  expect(() => loadModel('/nowhere/model.json')).toThrow('/nowhere/model.json cannot be used: ENOENT')
  expect(() => loadModel(fileOf('{'))).toThrow('cannot be used: ')
})
