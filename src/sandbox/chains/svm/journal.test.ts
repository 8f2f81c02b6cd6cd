import { appendFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { silentLog } from '../../../core/log.ts'
import { type KeptAccount, openJournal } from './journal.ts'

const freshFile = () => join(mkdtempSync(join(tmpdir(), 'tollbook-journal-')), 'journal.jsonl')
const account = (address: string, lamports: string): KeptAccount => ({
  address,
  program: 'p',
  lamports,
  data: '',
})

test('what was appended is there after a kill, newest value per account, under the same seed', () => {
  const file = freshFile()
  const journal = openJournal(file, silentLog)
  journal.append({ accounts: [account('a', '1'), account('b', '2')] })
  journal.append({ accounts: [account('a', '3')] })
  // No close: the process was killed.
  const again = openJournal(file, silentLog)
  expect(again.seed).toBe(journal.seed)
  expect([...again.accounts.values()].map(({ address, lamports }) => address + lamports)).toEqual([
    'b2',
    'a3',
  ])
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(2)
})

test('a line cut off by a kill is ignored', () => {
  const file = freshFile()
  openJournal(file, silentLog).append({ accounts: [account('a', '1')] })
  appendFileSync(file, '{"accounts":[{"address":"a","program":"p","lam')
  const again = openJournal(file, silentLog)
  expect(again.accounts.get('a')?.lamports).toBe('1')
})

test('a damaged file is set aside, with a warning', () => {
  const file = freshFile()
  writeFileSync(file, 'nonsense\n')
  const warnings: string[] = []
  const journal = openJournal(file, { ...silentLog, warn: (_, text) => warnings.push(text) })
  expect(journal.accounts.size).toBe(0)
  expect(warnings).toHaveLength(1)
  expect(existsSync(`${file}.damaged`)).toBe(true)
})
