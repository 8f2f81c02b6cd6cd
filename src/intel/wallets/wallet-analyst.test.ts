import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import {
  aboutWallet,
  COIN,
  coin,
  FRIEND,
  holdingsPage,
  SPENDER,
  tokenReader,
  transactionsPage,
  transfersPage,
  UNLIMITED,
  USDC,
  WALLET,
  WALLETS_NOON_MS,
  walletPorts,
  wireToken,
  wireTransfer,
} from '../../testing/wallets/hand-made-wallets.ts'
import { UpstreamError } from '../../upstreams/upstream.ts'
import { LATE_REASON } from '../part.ts'
import { WALLET_FACTS_WAIT_MS } from './facts/wallet-facts.ts'
import { createWalletAnalyst } from './wallet-analyst.ts'
import { createWalletFigures } from './wallet-figures.ts'

type Over = Parameters<typeof walletPorts>[0]
const down = () => Promise.reject(new UpstreamError('down', 'no connection'))
const never = () => new Promise<never>(() => {})
const flush = () => new Promise((resolve) => setImmediate(resolve))
const NODE_DOWN = {
  codeOf: down,
  ether: down,
  nonce: down,
  blockNumber: down,
  approvalEvents: down,
  allowances: down,
}
const EXPLORER_DOWN = { address: down, tokenTransfers: down, transactions: down }
const HISTORY_DOWN = { holdingsPage: down, approvals: down, firstTransactionMs: down }

function start(over: Over = {}, tokens = tokenReader()) {
  const clock = createManualClock(WALLETS_NOON_MS)
  const random = () => 0.5
  const ports = walletPorts(over)
  const figures = createWalletFigures({ ports, tokens, findExchange: () => undefined, clock, random })
  return { clock, analyst: createWalletAnalyst({ figures, clock, random }) }
}
const analyse = (over: Over = {}, tokens = tokenReader()) => start(over, tokens).analyst.analyse(WALLET)

test('node, explorer and prices make one analysis', async () => {
  const found = await start().analyst.analyse(WALLET.toUpperCase().replace('0X', '0x'))
  expect(found).toMatchObject({
    address: WALLET,
    kind: 'account',
    wealth: { etherUsd: 8_000, tokensUsd: 1_000, totalUsd: 9_000, isComplete: true },
    activity: { sent: 420, outgoing: 1 },
    counterparties: { movements: 1, all: [{ address: FRIEND, outUsd: 25 }] },
    approvals: { open: [], atRiskUsd: 0 },
    risk: { rating: 'low', reasons: [] },
    score: { confidence: 1 },
    asOfMs: WALLETS_NOON_MS,
  })
  expect(new Set(Object.values(found.parts).map(({ status }) => status))).toEqual(new Set(['fresh']))
})

describe('sources that are silent', () => {
  test.each<[string, Over, readonly string[], string]>([
    ['the first transaction', { history: { firstTransactionMs: down } }, ['first_transaction'], 'medium'],
    ['transactions', { explorer: { transactions: down } }, ['transactions'], 'low'],
    ['transfers', { explorer: { tokenTransfers: down } }, ['transfers'], 'medium'],
    ['the node', { chain: NODE_DOWN }, [], 'low'],
    [
      'old and new approvals',
      { history: { approvals: down }, chain: { blockNumber: down } },
      ['approvals'],
      'medium',
    ],
  ])('%s', async (_, over, missing, rating) => {
    const { parts, risk, wealth } = await analyse(over)
    const gone = Object.entries(parts).filter(([, { status }]) => status === 'missing')
    expect(gone.map(([name]) => name)).toEqual(missing)
    expect(risk.rating).toBe(rating)
    expect(wealth.totalUsd).toBe(9_000)
  })
  test('without the node the explorer tells of the account', async () => {
    const found = await analyse({ chain: NODE_DOWN })
    expect(found.parts.account).toMatchObject({ source: 'blockscout', status: 'fresh' })
    expect(found).toMatchObject({ kind: 'account', activity: { sent: undefined, outgoing: 1 } })
    expect(found.score.confidence).toBe(1)
  })
  test('without prices nothing is made up', async () => {
    const readOne = async (name: string) => ({ source: name, status: 'missing', reason: 'silent' }) as never
    const { wealth, parts, risk } = await analyse({}, { readOne })
    expect(wealth).toMatchObject({ etherUsd: undefined, tokensUsd: 1_000, totalUsd: 1_000 })
    // The explorer is believed for USDC alone.
    expect(parts.prices).toMatchObject({ status: 'missing', reason: 'silent' })
    expect(risk.rating).toBe('low')
  })
  test('the other market is asked where the first tells no price', async () => {
    const { readOne } = tokenReader()
    const found = await analyse(
      {},
      {
        readOne: (async (name: string, address: string) =>
          name === 'market'
            ? { ...(await readOne('price', address)), source: 'dexscreener' }
            : { source: name, status: 'missing', reason: 'silent' }) as typeof readOne,
      },
    )
    expect(found.wealth.totalUsd).toBe(9_000)
    expect(found.parts.prices.source).toBe('dexscreener')
  })
  test.each<[string, Over]>([
    ['everything', { chain: NODE_DOWN, explorer: EXPLORER_DOWN, history: HISTORY_DOWN }],
    ['account and explorer', { chain: NODE_DOWN, explorer: { address: down } }],
    ['the holdings', { history: { holdingsPage: down } }],
  ])('%s: 503', async (_, over) => {
    await expect(analyse(over)).rejects.toMatchObject({ code: 'upstream_unavailable' })
  })
  test('those that hang are left out after the wait', async () => {
    const { clock, analyst } = start({ explorer: { tokenTransfers: never, transactions: never } })
    const analysing = analyst.analyse(WALLET)
    await flush()
    clock.advance(WALLET_FACTS_WAIT_MS)
    const { parts, wealth } = await analysing
    expect([parts.transfers.status, parts.transactions.status, wealth.totalUsd]).toEqual([
      'missing',
      'missing',
      9_000,
    ])
  })
  test('when everything hangs the answer comes within four seconds', async () => {
    const hang = { codeOf: never, ether: never, nonce: never, blockNumber: never }
    const { clock, analyst } = start({
      chain: hang,
      explorer: { address: never, tokenTransfers: never, transactions: never },
      history: { holdingsPage: never, approvals: never, firstTransactionMs: never },
    })
    let isOver = false
    const analysing = analyst.analyse(WALLET).catch((error: unknown) => {
      isOver = true
      return error
    })
    for (let ms = 0; ms < 4_000; ms += 100) {
      clock.advance(100)
      await flush()
    }
    expect(isOver).toBe(true)
    expect(await analysing).toMatchObject({ code: 'upstream_unavailable' })
  })
})

test('a contract, and an account that lets a contract act for it', async () => {
  const contract = await analyse({ chain: { codeOf: async () => '0x6001' } })
  expect(contract).toMatchObject({ kind: 'contract', activity: { sent: undefined } })
  const code = `0xEF0100${SPENDER.slice(2)}` as const
  const delegated = await analyse({ chain: { codeOf: async () => code } })
  expect(delegated).toMatchObject({
    kind: 'delegated_account',
    delegate: SPENDER,
    risk: { rating: 'medium' },
  })
})

describe('dangers from end to end', () => {
  const rows = [
    { token: USDC, owner: WALLET, spender: SPENDER, amount: UNLIMITED, atMs: undefined, block: 1 },
  ]
  const approved: Over = {
    history: { approvals: async () => ({ rows: rows as never, isComplete: true }) },
    chain: { allowances: async (_, given) => given.map(() => UNLIMITED) },
  }
  test('an account may take everything', async () => {
    const found = await analyse(approved)
    expect(found.approvals).toMatchObject({
      atRiskUsd: 1_000,
      open: [{ spenderKind: 'account', isUnlimited: true }],
    })
    expect(found.risk).toMatchObject({ rating: 'critical' })
    expect(found.score.value).toBeLessThanOrEqual(10)
  })
  test('a robbed wallet is told from one that pays by authorization', async () => {
    const sent = {
      hash: `0x${'22'.repeat(32)}`,
      timestamp: new Date(WALLETS_NOON_MS - 86_400 * SECOND_MS).toISOString(),
      from: { hash: WALLET },
      to: { hash: FRIEND },
      value: '0',
      status: 'ok',
    }
    const taken = (over: Record<string, unknown>): Over => ({
      explorer: {
        transactions: async () => transactionsPage([sent], { items_count: 50 }),
        tokenTransfers: async () =>
          transfersPage([wireTransfer({ total: { value: '300000000000' }, ...over })]),
      },
    })
    const isContract = { codeOf: async (address: string) => (address === SPENDER ? '0x60' : '0x') as '0x' }
    const ratingOf = async (over: Over) => (await analyse(over)).risk.reasons.map(({ code }) => code)
    const chain = { ...approved.chain, ...isContract }
    expect(await ratingOf({ ...approved, chain, ...taken({}) })).toEqual([
      'drained',
      'risky_counterparties',
      'approval_to_unknown',
    ])
    expect(await ratingOf(taken({}))).toEqual(['left_unasked'])
    expect(await ratingOf(taken({ method: 'transferWithAuthorization' }))).toEqual([])
    expect(await ratingOf(taken({ transaction_hash: sent.hash }))).toEqual([])
  })
  test('a missing price does not make an approval to a thief vanish', async () => {
    const coins = holdingsPage([
      { token: wireToken(), value: '1000000000' },
      { token: coin({ exchange_rate: '2' }), value: (50_000n * 10n ** 18n).toString() },
    ])
    const given = rows.map((row) => ({ ...row, token: COIN }))
    const world: Over = {
      ...approved,
      history: {
        holdingsPage: async () => coins,
        approvals: async () => ({ rows: given as never, isComplete: true }),
      },
    }
    expect((await analyse(world)).risk).toMatchObject({
      rating: 'critical',
      reasons: [{ code: 'approval_to_account' }],
    })
  })
  test('made-up approvals hide neither the real one nor who may use it', async () => {
    const junk = (i: number) => ({
      token: `0x${'5a'.repeat(20)}`,
      owner: WALLET,
      spender: `0x${(i + 1).toString(16).padStart(40, '0')}`,
      amount: UNLIMITED,
      atMs: undefined,
      block: 2,
    })
    const made = [...rows, ...Array.from({ length: 250 }, (_, i) => junk(i))]
    const found = await analyse({
      ...approved,
      history: { approvals: async () => ({ rows: made as never, isComplete: true }) },
    })
    expect(found.approvals).toMatchObject({
      atRiskUsd: 1_000,
      isComplete: true,
      open: [{ spender: SPENDER, spenderKind: 'account' }, ...Array(199).fill({ isVerified: false })],
    })
    expect(found.risk.rating).toBe('critical')
  })
  test('a contract that nobody names, one with a name, and one that is reported', async () => {
    const isContract = { codeOf: async (address: string) => (address === SPENDER ? '0x60' : '0x') as '0x' }
    const kindOf = async (about: Record<string, unknown>) => {
      const found = await analyse({
        ...approved,
        chain: { ...approved.chain, ...isContract },
        explorer: {
          address: async (address) => aboutWallet({ hash: address, ...(address === SPENDER && about) }),
        },
      })
      return `${found.approvals?.open[0]?.spenderKind}:${found.risk.rating}`
    }
    expect(await kindOf({})).toBe('unknown_contract:medium')
    expect(await kindOf({ name: 'Router', is_verified: false })).toBe('unknown_contract:medium')
    expect(await kindOf({ name: 'Router', is_verified: true })).toBe('named_contract:medium')
    expect(await kindOf({ name: 'Scam', is_verified: true })).toBe('named_contract:medium')
    expect(await kindOf({ name: 'Router', is_verified: true, is_scam: true })).toBe('scam:critical')
  })
  test('a honeypot counts as nothing, and its maker is a risky counterparty', async () => {
    const found = await analyse(
      {
        history: {
          holdingsPage: async () => holdingsPage([{ token: coin(), value: (10n ** 24n).toString() }]),
        },
        explorer: {
          tokenTransfers: async () =>
            transfersPage([wireTransfer(), wireTransfer({ token: coin(), to: { hash: FRIEND } })]),
        },
      },
      tokenReader(
        { [COIN]: { priceUsd: 5, liquidityUsd: 1e7 } },
        { [COIN]: { is_honeypot: '1', creator_address: FRIEND } },
      ),
    )
    expect(found.wealth).toMatchObject({
      tokensUsd: 0,
      totalUsd: 8_000,
      holdings: [{ valuation: 'scam', valueUsd: 0 }],
    })
    expect(found.counterparties).toMatchObject({
      sentToRisky: 1,
      all: [{ unverified: 1, flags: ['scam_token_creator'] }],
    })
    expect(found.risk.rating).toBe('high')
  })
})

test('dust of a contract that calls itself a scam costs an honest wallet nothing', async () => {
  const sent = {
    hash: `0x${'22'.repeat(32)}`,
    timestamp: new Date(WALLETS_NOON_MS - SECOND_MS).toISOString(),
    from: { hash: WALLET },
    to: { hash: FRIEND },
    value: '0',
    status: 'ok',
  }
  const transactions = async () => transactionsPage([sent], { items_count: 50 })
  const dust = Array.from({ length: 50 }, (_, i) =>
    wireTransfer({
      transaction_hash: `0x${i.toString(16).padStart(64, 'f')}`,
      from: { hash: SPENDER, is_contract: true, name: 'Scam' },
      to: { hash: WALLET },
      total: { value: '1' },
    }),
  )
  const before = await analyse({ explorer: { transactions } })
  const after = await analyse({
    explorer: { transactions, tokenTransfers: async () => transfersPage(dust, { items_count: 50 }) },
  })
  expect([after.risk, after.score.value]).toEqual([before.risk, before.score.value])
  // Nothing that counts was seen of whom it deals with.
  expect([before.score.confidence, after.score.confidence]).toEqual([1, 0.93])
})

test('huge balances stay exact and nothing becomes infinite', async () => {
  const value = (2n ** 256n - 1n).toString()
  const found = await analyse(
    {
      chain: { ether: async () => 2n ** 256n - 1n },
      history: {
        holdingsPage: async () =>
          holdingsPage([
            { token: coin({ decimals: '0' }), value },
            {
              token: wireToken({ address_hash: `0x${'99'.repeat(20)}`, symbol: 'X', decimals: '255' }),
              value,
            },
          ]),
      },
    },
    tokenReader({ [COIN]: { priceUsd: 1e12, liquidityUsd: 1e9 } }),
  )
  expect(found.wealth.holdings.map(({ units }) => units)).toEqual([2n ** 256n - 1n, 2n ** 256n - 1n])
  expect(found.wealth).toMatchObject({ etherUsd: undefined, tokensUsd: 0 })
  for (const { points } of found.score.components) expect(Number.isFinite(points)).toBe(true)
})

test('an analysis without gaps is kept longer than one in which a part was late', async () => {
  let answer = () => {}
  const { clock, analyst } = start({
    explorer: {
      tokenTransfers: () =>
        new Promise((resolve) => (answer = () => resolve(transfersPage([wireTransfer()])))),
    },
  })
  const analysing = analyst.analyse(WALLET)
  await flush()
  clock.advance(WALLET_FACTS_WAIT_MS)
  const { parts } = await analysing
  expect(parts.transfers).toMatchObject({ status: 'missing', reason: LATE_REASON })
  answer()
  await flush()
  const whole = await analyst.analyse(WALLET)
  expect(whole.parts.transfers.status).toBe('fresh')
  clock.advance(15 * SECOND_MS)
  expect(await analyst.analyse(WALLET)).toBe(whole)
})

test('the fifth request to the explorer, which leaves after two seconds, has half a second to answer', async () => {
  let answer = () => {}
  const { clock, analyst } = start({
    history: {
      firstTransactionMs: () =>
        new Promise((resolve) => {
          answer = () => resolve(WALLETS_NOON_MS)
        }),
    },
  })
  const analysing = analyst.analyse(WALLET)
  await flush()
  clock.advance(2_500)
  answer()
  expect((await analysing).parts.first_transaction.status).toBe('fresh')
})

test('a gap that stays is looked at again after two seconds, not before', async () => {
  const { clock, analyst } = start({ explorer: { tokenTransfers: down } })
  const first = await analyst.analyse(WALLET)
  const kept = analyst.state(WALLET)
  clock.advance(2 * SECOND_MS)
  expect(analyst.state(WALLET)).toBe(kept)
  expect(await analyst.analyse(WALLET)).toBe(first)
  clock.advance(1)
  expect(analyst.state(WALLET)).not.toBe(kept)
  expect(await analyst.analyse(WALLET)).not.toBe(first)
})

test('fewer transactions than the chain counts make the score less certain', async () => {
  const whole = await analyse()
  const short = await analyse({ explorer: { transactions: async () => transactionsPage([]) } })
  expect([whole.score.confidence, short.score.confidence]).toEqual([1, 0.8])
  expect(short.counterparties?.isComplete).toBe(false)
  const first = { firstTransactionMs: async () => undefined }
  const unknown = await analyse({
    explorer: { transactions: async () => transactionsPage([]) },
    history: first,
  })
  expect(unknown.activity.ageMs).toBeUndefined()
  expect(unknown.score.confidence).toBe(0.7)
})

test('an analysis is kept for a while, and made anew then', async () => {
  let nonce = 1
  const { clock, analyst } = start({ chain: { nonce: async () => nonce } })
  const first = analyst.state(WALLET)
  expect(analyst.state(WALLET)).not.toBe(first)
  expect((await analyst.analyse(WALLET)).activity.sent).toBe(1)
  const kept = analyst.state(WALLET)
  nonce = 2
  clock.advance(15 * SECOND_MS)
  expect(analyst.state(WALLET)).toBe(kept)
  expect((await analyst.analyse(WALLET)).activity.sent).toBe(1)
  clock.advance(60 * SECOND_MS)
  expect(analyst.state(WALLET)).not.toBe(kept)
  expect((await analyst.analyse(WALLET)).activity.sent).toBe(2)
})
