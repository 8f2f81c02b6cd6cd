import { expect, test } from 'vitest'
import { DAY_MS } from '../../core/time/time.ts'
import {
  FRIEND,
  transactionsPage,
  transfersPage,
  WALLET,
  WALLETS_NOON_MS,
  wireTransfer,
} from '../../testing/wallets/hand-made-wallets.ts'
import type { Part } from '../part.ts'
import { toActivity } from './activity.ts'
import { toMovements } from './movements.ts'

const at = (days: number) => new Date(WALLETS_NOON_MS - days * DAY_MS).toISOString()
const got = (days: number) =>
  wireTransfer({ timestamp: at(days), from: { hash: FRIEND }, to: { hash: WALLET } })
const told = (value: number | undefined): Part<number | undefined> => ({
  source: 'x',
  status: 'fresh',
  value,
  asOfMs: WALLETS_NOON_MS,
})

type Lists = { next?: unknown; sent?: readonly unknown[]; nonce?: number; older?: unknown }

function read(
  firstTransaction: Part<number | undefined>,
  rows: readonly unknown[],
  { next = null, sent = [], nonce, older = null }: Lists = {},
) {
  const [transfers, transactions] = [transfersPage(rows, next), transactionsPage(sent, older)]
  const account =
    nonce === undefined ? undefined : ({ kind: 'account', delegate: undefined, wei: 0n, nonce } as const)
  const lists = { wallet: WALLET, transfers, transactions }
  const movements = toMovements({ ...lists, priceOf: () => undefined, etherPriceUsd: undefined })
  return toActivity({ ...lists, nowMs: WALLETS_NOON_MS, account, firstTransaction, movements })
}

test('first seen is the first transaction, or the first token where the list is whole', () => {
  const first = WALLETS_NOON_MS - 50 * DAY_MS
  expect(read(told(first), [got(10)]).ageMs).toBe(50 * DAY_MS)
  expect(read(told(first), [got(60)]).ageMs).toBe(60 * DAY_MS)
  expect(read(told(undefined), [got(10), got(20)]).ageMs).toBe(20 * DAY_MS)
  expect(read(told(undefined), [got(10)], { next: { page: 2 } }).ageMs).toBeUndefined()
  expect(read(told(undefined), []).firstSeenMs).toBeUndefined()
  const missing = { source: 'x', status: 'missing', reason: 'silent' } as const
  expect(read(missing, [got(10)]).ageMs).toBeUndefined()
})

const ownTransaction = (days: number) => ({
  hash: `0x${'22'.repeat(32)}`,
  timestamp: at(days),
  from: { hash: WALLET },
  to: { hash: FRIEND },
  value: '1',
  status: 'ok',
})

test('an explorer that lists fewer transactions than the chain counts does not tell how old a wallet is', () => {
  const first = WALLETS_NOON_MS - 50 * DAY_MS
  const sent = [ownTransaction(5)]
  expect(read(told(undefined), [got(10)], { sent, nonce: 1 })).toMatchObject({
    ageMs: 10 * DAY_MS,
    hasGap: false,
  })
  // The list has no next page, and lacks one.
  expect(read(told(undefined), [got(10)], { sent, nonce: 2 })).toMatchObject({
    ageMs: undefined,
    firstSeenMs: undefined,
    hasGap: true,
  })
  expect(read(told(first), [got(60)], { sent, nonce: 2 })).toMatchObject({
    ageMs: 50 * DAY_MS,
    hasGap: true,
  })
  // Where there are more pages nothing is amiss, and the age is that of the first transaction.
  expect(read(told(first), [got(60)], { sent, nonce: 900, older: { page: 2 } })).toMatchObject({
    ageMs: 50 * DAY_MS,
    hasGap: false,
  })
})

test('a source whose clock is ahead does not make it younger than new', () => {
  expect(read(told(WALLETS_NOON_MS + DAY_MS), []).ageMs).toBe(0)
})

test('what others send to it is not its activity', () => {
  expect(read(told(undefined), [got(1)])).toMatchObject({ lastActiveMs: undefined, outgoing: 0 })
  expect(read(told(undefined), [got(1), wireTransfer({ timestamp: at(3) })])).toMatchObject({
    idleMs: 3 * DAY_MS,
    outgoing: 1,
  })
  const made = wireTransfer({ timestamp: at(1), total: { value: '0' } })
  expect(read(told(undefined), [made])).toMatchObject({ lastActiveMs: undefined, outgoing: 0 })
  const hash = `0x${'11'.repeat(32)}`
  const failed = {
    hash,
    timestamp: at(2),
    from: { hash: WALLET },
    to: { hash: FRIEND },
    value: '0',
    status: 'error',
  }
  // Who pays for a transaction that fails is there.
  expect(read(told(undefined), [got(1)], { sent: [failed] })).toMatchObject({
    idleMs: 2 * DAY_MS,
    outgoing: 0,
  })
})
