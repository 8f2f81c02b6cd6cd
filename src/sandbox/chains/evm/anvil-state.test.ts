import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { prepareState } from './anvil-state.ts'

const freshFile = () => join(mkdtempSync(join(tmpdir(), 'tollbook-state-')), 'state.json')

function writeState(file: string, blocks: number): void {
  const numbers = Array.from({ length: blocks }, (_, index) => index)
  const state = {
    accounts: { '0xaa': { balance: '0x1' } },
    best_block_number: blocks - 1,
    blocks: numbers.reverse().map((number) => ({ header: { number: `0x${number.toString(16)}` } })),
    transactions: numbers.map((number) => ({ block_number: number })),
  }
  writeFileSync(file, JSON.stringify(state))
}

test('a long chain forgets its old blocks and keeps its accounts', () => {
  const file = freshFile()
  writeState(file, 2_500)
  expect(prepareState(file)).toBe('trimmed')
  const state = JSON.parse(readFileSync(file, 'utf8'))
  expect(state.blocks).toHaveLength(500)
  expect(state.transactions).toHaveLength(500)
  expect(Math.min(...state.transactions.map((each: { block_number: number }) => each.block_number))).toBe(
    2_000,
  )
  expect(state.accounts).toEqual({ '0xaa': { balance: '0x1' } })
  expect(prepareState(file)).toBe('kept')
})

test('a file cut off while it was written is set aside', () => {
  const file = freshFile()
  expect(prepareState(file)).toBe('absent')
  writeFileSync(file, '{"block":{"num')
  expect(prepareState(file)).toBe('damaged')
  expect([existsSync(file), existsSync(`${file}.damaged`)]).toEqual([false, true])
})
