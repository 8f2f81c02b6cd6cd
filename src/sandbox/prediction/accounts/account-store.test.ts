import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { silentLog } from '../../../core/log.ts'
import { openAccountStore } from './account-store.ts'

const dir = mkdtempSync(join(tmpdir(), 'tollbook-store-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const ADDRESS = `0x${'a'.repeat(40)}`
const key = (id: string, nonce = '0') => ({
  ...{ id, nonce, address: ADDRESS, secret: 's', passphrase: 'p', createdMs: 1 },
})
const idsOf = (file: string, warn: (text: string) => void = () => {}) => {
  const store = openAccountStore({ file, log: { ...silentLog, warn: (_, text) => warn(text) } })
  const ids = store.keys.all().map(({ id, nonce }) => id + nonce)
  store.close()
  return ids
}

test('rows outlive a kill: changed ones with their last value, deleted ones not at all', () => {
  const file = join(dir, 'kept.jsonl')
  const { keys } = openAccountStore({ file, log: silentLog })
  for (const id of ['a', 'b', 'c']) keys.put(key(id))
  keys.put(key('b', '7'))
  keys.delete('a')
  // No close: the process was killed, in the middle of a line.
  appendFileSync(file, '{"table":"keys","id":"d","row":{"id":"d","no')
  expect(idsOf(file)).toEqual(['b7', 'c0'])
  expect(idsOf(file)).toEqual(['b7', 'c0'])
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a line that cannot be read costs that line only, and a copy of the file is kept', () => {
  const file = join(dir, 'damaged.jsonl')
  const store = openAccountStore({ file, log: silentLog })
  store.keys.put(key('a'))
  store.close()
  appendFileSync(file, `${JSON.stringify({ table: 'keys', id: 'b', row: { id: 'b' } })}\n{"table":\n`)
  appendFileSync(file, `${JSON.stringify({ table: 'keys', id: 'c', row: key('c') })}\n`)
  const warnings: string[] = []
  expect(idsOf(file, (text) => warnings.push(text))).toEqual(['a0', 'c0'])
  expect(warnings).toHaveLength(1)
  expect(existsSync(`${file}.damaged`)).toBe(true)
  expect(idsOf(file, (text) => warnings.push(text))).toEqual(['a0', 'c0'])
  expect(warnings).toHaveLength(1)
})

test('an amount is kept exactly, however large', () => {
  const file = join(dir, 'large.jsonl')
  const event = {
    ...{ id: 'e', seq: 1, type: 'SPLIT' as const, wallet: ADDRESS, conditionId: 'c', block: 1, atMs: 1 },
    ...{ sharesE6: 10n ** 16n + 1n, collateralE6: 2n ** 256n - 1n, transactionHash: `0x${'1'.repeat(64)}` },
  }
  const store = openAccountStore({ file, log: silentLog })
  store.events.put(event)
  expect(openAccountStore({ file, log: silentLog }).events.all()).toEqual([event])
})

test('a full table forgets the oldest row, in the file too', () => {
  const file = join(dir, 'full.jsonl')
  const store = openAccountStore({ file, log: silentLog })
  for (let count = 0; count < 1_002; count++) store.keys.put(key(`k${count}-`))
  expect(store.keys.isFull()).toBe(true)
  expect(store.keys.all()).toHaveLength(1_000)
  store.close()
  expect(idsOf(file).slice(0, 1)).toEqual(['k2-0'])
})

test('an order that may still be filled is not what a full table forgets', () => {
  const store = openAccountStore({ log: silentLog })
  const order = (count: number, status: 'live' | 'canceled') => ({
    ...{ id: `0x${String(count).padStart(64, '0')}`, owner: 'k', wallet: ADDRESS, status, createdMs: 1 },
    ...{ conditionId: 'c', tokenId: '1', outcome: 'Up', side: 'BUY' as const, kind: 'GTC' as const },
    ...{ priceE4: 1, sharesE6: 1, filledE6: 0, expirationS: 0 },
  })
  store.orders.put(order(0, 'live'))
  for (let count = 1; count < 5_001; count++) store.orders.put(order(count, 'canceled'))
  expect(store.orders.all().slice(0, 2)).toEqual([order(0, 'live'), order(2, 'canceled')])
})

test('the file is written anew before it grows without end', () => {
  const file = join(dir, 'long.jsonl')
  const store = openAccountStore({ file, log: silentLog })
  for (let count = 0; count <= 20_000; count++) store.keys.put(key('a', String(count)))
  store.close()
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(2)
  expect(idsOf(file)).toEqual(['a20000'])
})

test('what is put after the end is not written, and breaks nothing', () => {
  const file = join(dir, 'late.jsonl')
  const store = openAccountStore({ file, log: silentLog })
  store.close()
  store.keys.put(key('a'))
  expect(idsOf(file)).toEqual([])
})
