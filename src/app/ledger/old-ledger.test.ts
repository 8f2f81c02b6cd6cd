import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { warnOfOldLedger } from './old-ledger.ts'

test('a ledger where earlier releases had it is named where the default directory is used', () => {
  const root = temporaryDir()
  const lines: { ledger?: string; next?: string }[] = []
  const log = { warn: (facts: object) => void lines.push(facts) }
  const start = (env: Record<string, string> = {}) => warnOfOldLedger(readConfig(env), log, root)
  start()
  expect(lines).toEqual([])
  mkdirSync(join(root, 'data'))
  writeFileSync(join(root, 'data', 'ledger.sqlite'), 'x')
  start()
  start({ TOLLBOOK_MODE: 'paper' })
  start({ TOLLBOOK_DATA_DIR: '/srv/tollbook' })
  expect(lines).toHaveLength(2)
  expect(lines[0]?.ledger).toBe(join(root, 'data', 'ledger.sqlite'))
  expect(lines[0]?.next).toContain('TOLLBOOK_DATA_DIR=./data and run ./tollbook adopt')
})
