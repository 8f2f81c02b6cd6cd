import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../core/time/time.ts'
import {
  COIN,
  FRIEND,
  SPENDER,
  transactionsPage,
  transfersPage,
  USDC,
  WALLET,
  WALLETS_NOON_MS,
  wireToken,
  wireTransfer,
} from '../../testing/wallets/hand-made-wallets.ts'
import { isRisky, toCounterparties } from './counterparties.ts'
import { exchangeOf, soundsLikeScam } from './labels.ts'
import { toMovements } from './movements.ts'
import { findThefts } from './thefts.ts'

const NOBODY = `0x${'00'.repeat(20)}`
const hash = (i: number) => `0x${i.toString(16).padStart(64, '0')}`
const at = (minutes: number) => new Date(WALLETS_NOON_MS - minutes * MINUTE_MS).toISOString()
const party = (address: string, over: Record<string, unknown> = {}) => ({ hash: address, ...over })

type Over = Partial<Parameters<typeof toCounterparties>[0]> & { strangers?: ReadonlySet<string> }

function read(
  transfers: readonly Record<string, unknown>[],
  { strangers = new Set(), ...over }: Over = {},
  transactions: readonly Record<string, unknown>[] = [],
) {
  const movements = toMovements({
    wallet: WALLET,
    transfers: transfersPage(
      transfers.map((each, i) => wireTransfer({ transaction_hash: hash(i), ...each })),
    ),
    transactions: transactionsPage(transactions),
    priceOf: (token) => (token === USDC || token === COIN ? 1 : undefined),
    etherPriceUsd: 4_000,
  })
  return toCounterparties({
    movements,
    isComplete: true,
    thefts: findThefts({
      movements,
      open: [...strangers].map((spender) => ({ spender, token: USDC })),
      unitsOf: () => 0n,
      isTrusted: () => false,
    }),
    creators: new Set(),
    worthless: new Set(),
    findExchange: () => undefined,
    ...over,
  })
}
const flagsOf = (found: ReturnType<typeof read>) => found.all.map(({ flags }) => flags)

test('counts and values by direction, the busiest first', () => {
  const found = read(
    [{}, { from: party(FRIEND), to: party(WALLET), total: { value: '5000000' } }, { to: party(SPENDER) }],
    {},
    [
      {
        hash: hash(9),
        timestamp: at(1),
        from: party(WALLET),
        to: party(SPENDER),
        value: '1000000000000000000',
        status: 'ok',
      },
      {
        hash: hash(10),
        timestamp: at(1),
        from: party(WALLET),
        to: party(FRIEND),
        value: '1',
        status: 'error',
      },
      { hash: hash(11), timestamp: at(1), from: party(WALLET), to: null, value: '1', status: 'ok' },
      { hash: hash(12), timestamp: at(1), from: party(WALLET), to: party(FRIEND), value: '0', status: 'ok' },
    ],
  )
  expect(found).toMatchObject({ movements: 4, riskyMovements: 0, sentToRisky: 0 })
  expect(found.all).toMatchObject([
    { address: SPENDER, incoming: 0, outgoing: 2, outUsd: 4_025 },
    { address: FRIEND, incoming: 1, outgoing: 1, inUsd: 5, outUsd: 25 },
  ])
})

test('what is made, burnt, sent to oneself or between others moves nothing', () => {
  const found = read([
    { from: party(NOBODY), to: party(WALLET) },
    { to: party(WALLET) },
    { from: party(FRIEND), to: party(SPENDER) },
  ])
  expect(found).toMatchObject({ all: [], movements: 0 })
})

test('what anybody can make up is told and counts for nothing', () => {
  const token = wireToken({ address_hash: `0x${'f9'.repeat(20)}`, symbol: 'FAKE' })
  const made = [
    { to: party(SPENDER, { is_scam: true }), token },
    { to: party(SPENDER, { is_scam: true }), total: { value: '0' } },
  ]
  const strangers = new Set([SPENDER])
  const found = read(made, { strangers })
  expect(found).toMatchObject({ movements: 0, riskyMovements: 0, sentToRisky: 0 })
  expect(found.all).toMatchObject([
    { incoming: 0, outgoing: 0, unverified: 2, outUsd: 0, flags: ['reported_scam'] },
  ])
  // A transaction of its own is its own doing, whatever the token is worth.
  const own = { hash: hash(0), timestamp: at(1), from: party(WALLET), to: null, value: '0', status: 'ok' }
  expect(read(made, { strangers }, [own])).toMatchObject({ sentToRisky: 1, all: [{ unverified: 1 }] })
})

test('dust that comes unasked is not held against anybody', () => {
  const evil = party(SPENDER, { is_scam: true })
  const got = (value: string) => ({ from: evil, to: party(WALLET), total: { value } })
  expect(read([got('999999')])).toMatchObject({ movements: 0, riskyMovements: 0, all: [{ unverified: 1 }] })
  expect(read([got('1000000')])).toMatchObject({ movements: 1, riskyMovements: 1 })
  const ether = (value: string) => ({
    hash: hash(9),
    timestamp: at(1),
    from: evil,
    to: party(WALLET),
    value,
    status: 'ok',
  })
  expect(read([], {}, [ether('1')])).toMatchObject({ movements: 0, riskyMovements: 0 })
  expect(read([], {}, [ether('1000000000000000000')])).toMatchObject({ riskyMovements: 1 })
  // What it fetched itself is its own doing.
  const own = { hash: hash(0), timestamp: at(1), from: party(WALLET), to: null, value: '0', status: 'ok' }
  expect(read([got('1')], {}, [own])).toMatchObject({ movements: 1, riskyMovements: 1 })
})

describe('flags', () => {
  test('reported addresses, by mark and by label', () => {
    expect(flagsOf(read([{ to: party(FRIEND, { is_scam: true }) }]))).toEqual([['reported_scam']])
    expect(flagsOf(read([{ to: party(FRIEND, { name: 'Fake_Phishing412' }) }]))).toEqual([['reported_scam']])
  })
  test('the name that a contract gives itself is no report, the tag that the explorer gives it is', () => {
    const named = (over: Record<string, unknown>) =>
      flagsOf(read([{ to: party(FRIEND, { name: 'Scam', is_contract: true, ...over }) }]))
    expect(named({})).toEqual([[]])
    expect(named({ metadata: { tags: [{ name: 'Bridge' }, { name: 'Fake_Phishing7' }] } })).toEqual([
      ['reported_scam'],
    ])
    expect(named({ public_tags: [{ display_name: 'Inferno Drainer' }] })).toEqual([['reported_scam']])
  })
  test('makers of scam tokens', () => {
    const found = read([{}], { creators: new Set([FRIEND]) })
    expect(flagsOf(found)).toEqual([['scam_token_creator']])
    expect(found).toMatchObject({ riskyMovements: 1, sentToRisky: 1 })
  })
  test('a spender that takes two tokens within an hour', () => {
    const taken = (minutes: number) => [
      { to: party(SPENDER), timestamp: at(0) },
      { to: party(SPENDER), timestamp: at(minutes), token: wireToken({ address_hash: COIN }) },
    ]
    const strangers = new Set([SPENDER])
    expect(flagsOf(read(taken(60), { strangers }))).toEqual([['took_approved_tokens']])
    expect(flagsOf(read(taken(61), { strangers }))).toEqual([[]])
    expect(flagsOf(read(taken(60)))).toEqual([[]])
    const same = [{ to: party(SPENDER) }, { to: party(SPENDER) }]
    expect(flagsOf(read(same, { strangers }))).toEqual([[]])
  })
  test('only worthless tokens is told, not held against anybody', () => {
    const found = read([{ from: party(FRIEND), to: party(WALLET) }], { worthless: new Set([USDC]) })
    expect(flagsOf(found)).toEqual([['worthless_tokens_only']])
    expect(found.all.some(isRisky)).toBe(false)
  })
  test('look-alikes of somebody it deals with', () => {
    const bait = `${FRIEND.slice(0, 6)}${'9'.repeat(32)}${FRIEND.slice(-4)}`
    const sent = { from: party(bait), to: party(WALLET), total: { value: '0' } }
    const found = read([{}, sent])
    expect(found.all.find(({ address }) => address === bait)?.flags).toEqual(['look_alike'])
    expect(found.all.find(({ address }) => address === FRIEND)?.flags).toEqual([])
    // Without anybody to be mistaken for it is only a small transfer.
    expect(flagsOf(read([sent]))).toEqual([[]])
  })
})

describe('exchanges', () => {
  test('by list and by label, but not by the name that a contract gives itself', () => {
    expect(read([{}], { findExchange: () => 'Bybit' }).all[0]?.exchange).toBe('Bybit')
    const named = (isContract: boolean) =>
      read([{ to: party(FRIEND, { name: 'Coinbase: hot wallet 1', is_contract: isContract }) }]).all[0]
        ?.exchange
    expect(named(false)).toBe('Coinbase')
    expect(named(true)).toBeUndefined()
  })
  test.each([
    ['Binance: hot wallet 1', 'Binance'],
    ['Not Binance', undefined],
    ['Binancer', undefined],
    [undefined, undefined],
  ])('%s', (label, exchange) => {
    expect(exchangeOf(label)).toBe(exchange)
  })
  test.each([
    ['Fake_Phishing1', true],
    ['Inferno Drainer', true],
    ['KyberSwap Exploiter', true],
    ['Hackathon prizes', false],
    ['Shackle', false],
    ['Scamper', false],
    ['Known scammers', true],
    [undefined, false],
  ])('%s sounds like a scam: %s', (label, sounds) => {
    expect(soundsLikeScam(label)).toBe(sounds)
  })
})
