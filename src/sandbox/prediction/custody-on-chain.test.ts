import { encodeFunctionData, type Hex, maxUint256, parseAbi, toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lackOf } from '../../testing/missing.ts'
import {
  type LocalCustody,
  marketNamed,
  openLocalCustody,
  VENUE_START_MS,
} from '../../testing/sandbox/local-custody.ts'
import { POLYMARKET_CONTRACTS } from '../../upstreams/polymarket/relayer/addresses.ts'
import { batchTypedData } from '../../upstreams/polymarket/relayer/deposit-wallet.ts'
import { mergeCall, redeemCall, splitCall } from '../../upstreams/polymarket/relayer/wallet-calls.ts'
import { type Custody, type CustodyEvent, CustodyRefused, type Settlement } from './custody.ts'
import { createChainCustody } from './custody-on-chain.ts'

const USD = 1_000_000n
let local: LocalCustody | undefined
const here = (): LocalCustody => local as LocalCustody

beforeAll(async () => {
  local = await openLocalCustody()
})
afterAll(() => local?.close())
beforeEach((context) => {
  if (!local) context.skip(lackOf('anvil'))
})

const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => 'nothing was refused',
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(CustodyRefused)
  return (error as Error).message
}

let settlements = 0
const nextId = () => toHex(++settlements, { size: 32 })
const settle = (custody: Custody, fills: readonly Settlement[]) => custody.settle(nextId(), fills)

async function openMarket(name: string) {
  const market = marketNamed(name)
  await here().custody.prepare(market.conditionId, market.tokenIds)
  const fill = (wallet: Settlement['wallet'], side: Settlement['side'], rest: Partial<Settlement> = {}) => ({
    wallet,
    conditionId: market.conditionId,
    tokenId: market.tokenIds[0],
    side,
    shares: 10n * USD,
    collateral: 4n * USD,
    fee: 168_000n,
    ...rest,
  })
  return { ...market, fill }
}

describe('trading', () => {
  test('a fill moves exactly its shares, cost and fee, both ways', async () => {
    const { custody, trader } = here()
    const { fill, tokenIds } = await openMarket('both ways')
    const { wallet } = await trader(100n * USD)
    const hash = await settle(custody, [fill(wallet, 'BUY')])
    expect(hash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await custody.collateralOf(wallet)).toBe(100n * USD - 4_168_000n)
    expect(await custody.sharesOf(wallet, tokenIds)).toEqual([10n * USD, 0n])
    await settle(custody, [fill(wallet, 'SELL', { shares: 3n * USD, collateral: 2n * USD, fee: 7n })])
    expect(await custody.collateralOf(wallet)).toBe(100n * USD - 4_168_000n + 2n * USD - 7n)
    expect(await custody.sharesOf(wallet, tokenIds)).toEqual([7n * USD, 0n])
  })

  test('of several fills all are settled or none', async () => {
    const { custody, trader } = here()
    const { fill, tokenIds } = await openMarket('all or none')
    const rich = await trader(100n * USD)
    const poor = await trader(1n * USD)
    expect(await refusal(settle(custody, [fill(rich.wallet, 'BUY'), fill(poor.wallet, 'BUY')]))).toBe(
      'ERC20: transfer amount exceeds balance',
    )
    expect(await custody.collateralOf(rich.wallet)).toBe(100n * USD)
    expect(await custody.sharesOf(rich.wallet, tokenIds)).toEqual([0n, 0n])
    expect(await refusal(settle(custody, [fill(poor.wallet, 'SELL')]))).toMatch(/insufficient balance/)
  })

  test('nothing is taken without allowance and approval, and no token of another market is sold', async () => {
    const { custody, trader } = here()
    const { fill } = await openMarket('without allowance')
    const other = await openMarket('another market')
    const { wallet, owner } = await trader(50n * USD)
    expect(await custody.allowancesOf(wallet)).toEqual({ [POLYMARKET_CONTRACTS.exchange]: maxUint256 })
    expect(await custody.mayMoveShares(wallet)).toBe(true)
    await custody.mint(owner.address, 50n * USD)
    expect(await custody.mayMoveShares(owner.address)).toBe(false)
    expect(await refusal(settle(custody, [fill(owner.address, 'BUY')]))).toMatch(/exceeds allowance/)
    const foreign = fill(wallet, 'BUY', { tokenId: other.tokenIds[1] })
    expect(await refusal(settle(custody, [foreign]))).toMatch(/token of another condition/)
    expect(await refusal(settle(custody, [fill(wallet, 'SELL', { fee: 5n * USD })]))).toMatch(/fee exceeds/)
    await expect(settle(custody, [])).rejects.toThrow(RangeError)
  })

  test('a settlement whose reply is lost is found, and one that never arrived is sent again, once', async () => {
    const { chain, clock, trader } = here()
    const { fill, tokenIds } = await openMarket('lost replies')
    const { wallet } = await trader(100n * USD)
    for (const loses of ['the request', 'the reply'] as const) {
      let isLost = false
      const custody = await createChainCustody({
        clock,
        async rpc(method, ...params) {
          const loseNow = method === 'eth_sendTransactionSync' && !isLost
          if (loseNow) isLost = true
          if (loseNow && loses === 'the reply') await chain.rpc(method, ...params)
          if (loseNow) throw new Error('fetch failed')
          return chain.rpc(method, ...params)
        },
      })
      const before = await custody.sharesOf(wallet, tokenIds)
      const hash = await settle(custody, [fill(wallet, 'BUY')])
      expect(await chain.rpc('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
      const after = await custody.sharesOf(wallet, tokenIds)
      expect([loses, (after[0] ?? 0n) - (before[0] ?? 0n)]).toEqual([loses, 10n * USD])
    }
  })
})

test('a settlement is known by its id, and the same id again moves nothing', async () => {
  const { custody, trader } = here()
  const { fill, tokenIds } = await openMarket('same id')
  const { wallet } = await trader(100n * USD)
  const id = nextId()
  expect(await custody.settledBy(id)).toBeUndefined()
  const hash = await custody.settle(id, [fill(wallet, 'BUY')])
  expect(await custody.settle(id, [fill(wallet, 'BUY')])).toBe(hash)
  expect(await custody.settledBy(id)).toBe(hash)
  expect(await custody.sharesOf(wallet, tokenIds)).toEqual([10n * USD, 0n])
})

describe('markets', () => {
  test('the winner is paid once, the loser nothing, and the events tell both', async () => {
    const { custody, trader, execute } = here()
    const { fill, tokenIds, conditionId } = await openMarket('redeem')
    const { wallet, owner } = await trader(100n * USD)
    const events: CustodyEvent[] = []
    const stop = custody.onEvent((event) => events.push(event))
    const down = { tokenId: tokenIds[1], shares: 2n * USD, collateral: USD, fee: 0n }
    await settle(custody, [fill(wallet, 'BUY', { fee: 0n }), fill(wallet, 'BUY', down)])
    expect(await refusal(execute(owner, [redeemCall(conditionId)]))).toMatch(/not received yet/)
    expect(await custody.payoutsOf(conditionId)).toBeUndefined()
    await custody.resolve(conditionId, [USD, 0n])
    await custody.resolve(conditionId, [USD, 0n])
    expect(await refusal(custody.resolve(conditionId, [0n, USD]))).toMatch(/another way/)
    const transactionHash = await execute(owner, [redeemCall(conditionId)])
    expect(await custody.collateralOf(wallet)).toBe(105n * USD)
    await execute(owner, [redeemCall(conditionId)])
    expect(await custody.collateralOf(wallet)).toBe(105n * USD)
    stop()
    const redeemed = { ...{ type: 'REDEEM', wallet, conditionId, transactionHash }, atMs: VENUE_START_MS }
    expect(events).toMatchObject([
      { ...redeemed, tokenId: tokenIds[0], shares: 10n * USD, collateral: 10n * USD },
      { ...redeemed, tokenId: tokenIds[1], shares: 2n * USD, collateral: 0n },
    ])
  })

  test('who missed events reads each of them again, with the time of the venue', async () => {
    const { custody, trader, execute, clock } = here()
    const { conditionId } = await openMarket('missed')
    const { owner } = await trader(10n * USD)
    const { head } = await custody.eventsAfter(0)
    const told: CustodyEvent[] = []
    const stop = custody.onEvent((event) => told.push(event))
    await execute(owner, [splitCall(conditionId, 7n * USD), mergeCall(conditionId, 2n * USD)])
    clock.advance(5_000)
    await custody.resolve(conditionId, [USD, 0n])
    await execute(owner, [redeemCall(conditionId)])
    stop()
    expect(told.map(({ type }) => type)).toEqual(['SPLIT', 'MERGE', 'REDEEM', 'REDEEM'])
    const past = await custody.eventsAfter(head)
    // The chain keeps whole seconds: read again, an event is at the end of its second.
    const endOfSecond = (ms: number) => ms - (ms % 1000) + 999
    expect(past.events).toEqual(told.map((event) => ({ ...event, atMs: endOfSecond(event.atMs) })))
    expect((await custody.eventsAfter(past.head)).events).toEqual([])
    const [first] = told as [CustodyEvent]
    expect(await custody.hasEvent(first)).toBe(true)
    expect(await custody.hasEvent({ ...first, transactionHash: nextId() })).toBe(false)
    expect(await custody.hasEvent({ transactionHash: nextId(), block: past.head + 9 })).toBe(false)
  })

  test('sets are split and merged at a dollar each; a draw pays both halves', async () => {
    const { custody, trader, execute } = here()
    const { tokenIds, conditionId } = await openMarket('sets')
    const { wallet, owner } = await trader(10n * USD)
    const types: string[] = []
    custody.onEvent(({ type, shares }) => types.push(`${type} ${shares}`))
    await execute(owner, [splitCall(conditionId, 7n * USD)])
    expect(await custody.sharesOf(wallet, tokenIds)).toEqual([7n * USD, 7n * USD])
    await execute(owner, [mergeCall(conditionId, 2n * USD)])
    expect(await custody.collateralOf(wallet)).toBe(5n * USD)
    await custody.resolve(conditionId, [500_000n, 500_000n])
    await execute(owner, [redeemCall(conditionId)])
    expect(await custody.collateralOf(wallet)).toBe(10n * USD)
    expect(types).toEqual(['SPLIT 7000000', 'MERGE 2000000', 'REDEEM 5000000', 'REDEEM 5000000'])
  })

  test('shares that others sent to the adapter are not paid to who redeems next', async () => {
    const { custody, trader, execute } = here()
    const { tokenIds, conditionId } = await openMarket('strays')
    const [careless, other] = [await trader(10n * USD), await trader(10n * USD)]
    const abi = parseAbi(['function safeTransferFrom(address, address, uint256, uint256, bytes)'])
    const args = [
      careless.wallet,
      POLYMARKET_CONTRACTS.collateralAdapter,
      tokenIds[0],
      6n * USD,
      '0x',
    ] as const
    const data = encodeFunctionData({ abi, functionName: 'safeTransferFrom', args })
    const lose = { target: POLYMARKET_CONTRACTS.outcomeTokens, value: 0n, data }
    await execute(careless.owner, [splitCall(conditionId, 6n * USD), lose])
    await execute(other.owner, [splitCall(conditionId, 2n * USD)])
    await custody.resolve(conditionId, [USD, 0n])
    await execute(other.owner, [redeemCall(conditionId)])
    expect(await custody.collateralOf(other.wallet)).toBe(10n * USD)
    await execute(careless.owner, [redeemCall(conditionId)])
    expect(await custody.collateralOf(careless.wallet)).toBe(4n * USD)
  })

  test('a market is prepared once, and payouts are a whole', async () => {
    const { custody } = here()
    const { conditionId, tokenIds } = await openMarket('prepared')
    await custody.prepare(conditionId, tokenIds)
    expect(await refusal(custody.prepare(conditionId, [1n, 2n]))).toMatch(/other outcome tokens/)
    expect(await refusal(custody.resolve(conditionId, [USD, 1n]))).toMatch(/not a whole/)
    expect(await refusal(custody.resolve(marketNamed('unknown').conditionId, [USD, 0n]))).toMatch(
      /not prepared/,
    )
  })
})

describe('deposit wallets', () => {
  test('carry out what their owner signed, once, before its deadline, and all of it', async () => {
    const { custody, trader, clock } = here()
    const { conditionId } = await openMarket('batches')
    const { wallet, owner } = await trader(10n * USD)
    const other = await trader()
    const nowS = BigInt(clock.now() / 1000)
    const nonce = await custody.nonceOf(wallet)
    expect(nonce).toBe(1n)
    const batch = { wallet, nonce, deadline: nowS + 60n, calls: [splitCall(conditionId, USD)] }
    const signed = async (change: Partial<typeof batch> = {}, by = owner) => {
      const signature = await by.signTypedData(batchTypedData({ ...batch, ...change }))
      return { ...batch, ...change, signature }
    }
    expect(await refusal(custody.execute(await signed({ nonce: 0n })))).toMatch(/invalid nonce/)
    expect(await refusal(custody.execute(await signed({ deadline: nowS - 1n })))).toMatch(/expired/)
    expect(await refusal(custody.execute(await signed({ deadline: nowS + 301n })))).toMatch(/too far/)
    expect(await refusal(custody.execute(await signed({}, other.owner)))).toMatch(/invalid signature/)
    const foreign = { ...(await signed()), wallet: other.wallet, nonce: 1n }
    expect(await refusal(custody.execute(foreign))).toMatch(/invalid signature/)
    const calls = [splitCall(conditionId, USD), splitCall(conditionId, 100n * USD)]
    expect(await refusal(custody.execute(await signed({ calls })))).toMatch(/exceeds balance/)
    expect(await custody.collateralOf(wallet)).toBe(10n * USD)
    const good = await signed()
    await custody.execute(good)
    expect(await refusal(custody.execute(good))).toMatch(/invalid nonce/)
    expect(await custody.collateralOf(wallet)).toBe(9n * USD)
  })

  test('are deployed once; before that they have no nonce and do nothing', async () => {
    const { custody, trader, execute } = here()
    const { owner } = await trader()
    expect(await custody.isDeployed(custody.walletOf(owner.address))).toBe(true)
    await refusal(custody.deploy(owner.address))
    const { privateKeyToAccount } = await import('viem/accounts')
    const nobody = privateKeyToAccount(`0x${'ab'.repeat(32)}` as Hex)
    expect(await custody.isDeployed(custody.walletOf(nobody.address))).toBe(false)
    expect(await custody.nonceOf(custody.walletOf(nobody.address))).toBe(0n)
    expect(await refusal(execute(nobody, []))).toMatch(/not deployed/)
  })
})

test('a restart keeps wallets, money, shares and markets', async () => {
  const { fill, tokenIds, conditionId } = await openMarket('restart')
  const { wallet, owner } = await here().trader(100n * USD)
  await settle(here().custody, [fill(wallet, 'BUY')])
  await here().restart()
  const { custody, execute } = here()
  expect(await custody.collateralOf(wallet)).toBe(100n * USD - 4_168_000n)
  expect(await custody.sharesOf(wallet, tokenIds)).toEqual([10n * USD, 0n])
  await custody.prepare(conditionId, tokenIds)
  await settle(custody, [fill(wallet, 'SELL')])
  await execute(owner, [splitCall(conditionId, USD)])
  expect(await custody.nonceOf(wallet)).toBe(2n)
})
