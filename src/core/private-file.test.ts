import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createPrivateFile } from './private-file.ts'

test('a file is made once, whole and for its owner only, and never replaced', () => {
  const dir = mkdtempSync(join(tmpdir(), 'tollbook-file-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const file = join(dir, 'new', 'secret.json')
  expect(createPrivateFile(file, 'first')).toBe(true)
  expect(createPrivateFile(file, 'second')).toBe(false)
  expect(readFileSync(file, 'utf8')).toBe('first')
  expect(statSync(file).mode & 0o077).toBe(0)
  expect(readdirSync(join(dir, 'new'))).toEqual(['secret.json'])
})
