import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../core/time/time.ts'
import {
  COIN,
  coin,
  FRIEND,
  SPENDER,
  transactionsPage,
  transfersPage,
  USDC,
  WALLET,
  WALLETS_NOON_MS,
  wireTransfer,
} from '../../testing/wallets/hand-made-wallets.ts'
import { toMovements } from './movements.ts'
import { listedSinceMs } from './own-transactions.ts'
import { findThefts } from './thefts.ts'

const THIEF = `0x${'99'.repeat(20)}`
const hash = (i: number) => `0x${i.toString(16).padStart(64, '0')}`
const at = (minutes: number) => new Date(WALLETS_NOON_MS - minutes * MINUTE_MS).toISOString()
const usdc = (over: Record<string, unknown> = {}) =>
  wireTransfer({
    transaction_hash: hash(1),
    timestamp: at(60),
    to: { hash: THIEF },
    total: { value: '300000000' },
    ...over,
  })
const cups = (over: Record<string, unknown> = {}) =>
  usdc({ token: coin(), total: { value: (200n * 10n ** 18n).toString() }, ...over })
const own = (i: number, minutes = 60, to = USDC) => ({
  hash: hash(i),
  timestamp: at(minutes),
  from: { hash: WALLET },
  to: { hash: to },
  value: '0',
  status: 'ok',
})

type World = {
  sent?: readonly unknown[]
  nonce?: number
  hasMore?: boolean
  kind?: 'account' | 'contract' | 'delegated_account'
  open?: readonly { token: string; spender: string }[]
  left?: bigint
  trusted?: string
  toMs?: number
}

function read(transfers: readonly unknown[], world: World = {}) {
  const { sent = [own(900, 600)], hasMore = true, kind = 'account', nonce = 420 } = world
  const { open = [], left = 0n, trusted, toMs = WALLETS_NOON_MS } = world
  const transactions = transactionsPage(sent, hasMore ? { items_count: 50 } : null)
  const account = { kind, delegate: undefined, wei: 0n, nonce }
  const fromMs = listedSinceMs({ wallet: WALLET, account, transactions })
  const movements = toMovements({
    wallet: WALLET,
    transfers: transfersPage(transfers),
    transactions,
    priceOf: (token) => (token === USDC || token === COIN ? 1 : undefined),
    etherPriceUsd: 4_000,
    listed: fromMs === undefined ? undefined : { fromMs, toMs },
  })
  const isTrusted = (address: string) => address === trusted
  const found = findThefts({ movements, open, unitsOf: () => left, isTrusted })
  return { takers: [...found.takers], unasked: [...found.unasked] }
}
const NOTHING = { takers: [], unasked: [] }
const ROBBED = { takers: [THIEF], unasked: [] }
const UNASKED = { takers: [], unasked: [THIEF] }
const approval = { token: USDC, spender: SPENDER }

describe('thefts', () => {
  test('several tokens to a collector, whether the approval is open, revoked or was a signature', () => {
    expect(read([usdc(), cups()], { open: [approval] })).toEqual(ROBBED)
    expect(read([usdc(), cups()])).toEqual(ROBBED)
    expect(read([usdc(), cups({ transaction_hash: hash(2), timestamp: at(120) })])).toEqual(ROBBED)
  })
  test('one token that somebody was allowed to take', () => {
    expect(read([usdc()], { open: [approval] })).toEqual(ROBBED)
    expect(read([usdc()], { open: [{ token: COIN, spender: SPENDER }] })).toEqual(UNASKED)
  })
  test('one token without an approval may be a theft', () => {
    expect(read([usdc()])).toEqual(UNASKED)
    expect(read([usdc({ total: { value: '100000000' } })])).toEqual(UNASKED)
  })
  test('a thief who calls his method an authorization takes several at once', () => {
    const method = 'transferWithAuthorization'
    expect(read([usdc({ method }), cups({ method })])).toEqual(ROBBED)
  })
})

describe('no thefts', () => {
  test('payments by authorization, which somebody else carries out', () => {
    for (const method of ['transferWithAuthorization', 'receiveWithAuthorization'])
      expect(read([usdc({ method })], { open: [approval] })).toEqual(NOTHING)
  })
  test('many small payments, and those that leave more than they take', () => {
    const small = Array.from({ length: 50 }, (_, i) =>
      usdc({ transaction_hash: hash(i), total: { value: '99999999' } }),
    )
    expect(read(small, { open: [approval] })).toEqual(NOTHING)
    expect(read([usdc()], { open: [approval], left: 300_000_001n })).toEqual(NOTHING)
  })
  test('what the wallet sent itself, through whatever router', () => {
    const open = [{ token: USDC, spender: THIEF }]
    expect(read([usdc(), cups()], { sent: [own(1), own(900, 600)], open })).toEqual(NOTHING)
  })
  test('a swap that somebody else carries out brings something back', () => {
    const back = (value: string) => cups({ from: { hash: FRIEND }, to: { hash: WALLET }, total: { value } })
    expect(read([usdc(), back((150n * 10n ** 18n).toString())], { open: [approval] })).toEqual(NOTHING)
    expect(read([usdc(), back((149n * 10n ** 18n).toString())], { open: [approval] })).toEqual(ROBBED)
  })
  test('one token to somebody trusted, or to whom the wallet paid itself', () => {
    expect(read([usdc()], { open: [approval], trusted: THIEF })).toEqual(NOTHING)
    const before = usdc({ transaction_hash: hash(5), timestamp: at(300), total: { value: '1000000' } })
    const sent = [own(5, 300), own(900, 600)]
    expect(read([usdc(), before], { open: [approval], sent })).toEqual(NOTHING)
    // Several tokens are no payment.
    expect(read([usdc(), cups(), before], { sent })).toEqual(ROBBED)
  })
})

describe('who sent a transaction is not known', () => {
  test.each<[string, World]>([
    ['of contracts', { kind: 'contract' }],
    ['of accounts that a contract acts for', { kind: 'delegated_account' }],
    ['before the list begins', { sent: [own(900, 30)] }],
    ['where the list is empty and there are more', { sent: [] }],
    ['where the list lacks some', { hasMore: false, nonce: 2 }],
    ['after the list was read', { toMs: WALLETS_NOON_MS - 61 * MINUTE_MS }],
  ])('%s', (_, world) => {
    expect(read([usdc(), cups()], { ...world, open: [approval] })).toEqual(NOTHING)
    // Who may take tokens and took several is a thief even then.
    const open = [{ token: USDC, spender: THIEF }]
    expect(read([usdc(), cups()], { ...world, open })).toEqual(ROBBED)
  })
  test('a list that is whole tells of everything', () => {
    expect(read([usdc(), cups()], { hasMore: false, nonce: 1 })).toEqual(ROBBED)
  })
})
