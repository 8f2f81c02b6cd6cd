import type { Address } from 'viem'
import { createBoundedCache } from '../../core/bounded-cache.ts'
import type { SimulatedMarket } from '../market/simulated-market.ts'
import { OTHER_CONTRACTS } from './known-addresses.ts'
import { createRoutine } from './moves/routine.ts'
import { createTransfers } from './moves/transfers.ts'
import { createWhaleMoves, type WhaleMoves } from './moves/whale-moves.ts'
import { holderOf } from './pool-holder.ts'
import { createCoinHistory } from './prices/coin-history.ts'
import { liquidityUsd, type PoolView, poolStateAt } from './prices/pool-states.ts'
import { createLaunches } from './specs/launches.ts'
import { TOKEN_LIST } from './specs/token-list.ts'
import { createTokenModel, poolAmountOf, type TokenModel } from './token-model.ts'
import type { SimPool, SimWallet, TokenWorld } from './token-world.ts'
import { type Added, holderCountAt, holdersAt, inPoolAt, keptAside } from './wallets/holders.ts'
import type { WalletSpec } from './wallets/make-wallet.ts'
import { asOf, WALLET_LIST } from './wallets/wallet-list.ts'

const MAX_LAUNCHES_KEPT = 64
const ADDRESS = /^0x[0-9a-f]{40}$/
/** What the source code of a pool is called; those of Uniswap v4 are no contracts. */
const POOL_CODE: Readonly<Record<SimPool['dex'], string | undefined>> = {
  'uniswap-v3-base': 'UniswapV3Pool',
  'aerodrome-slipstream': 'CLPool',
  'uniswap-v4-base': undefined,
}

/** The same seed gives the same Base at the same time, whenever it was started. */
export function createTokenWorld(input: { seed: string | number; market: SimulatedMarket }): TokenWorld {
  const seed = String(input.seed)
  const { market } = input
  const models = openModels(seed, market)
  const moves = createWhaleMoves({
    seed,
    tokens: models.lasting.map(({ token }) => token),
    priceUsd: (token, atMs) => models.find(token)?.price.usd(atMs) ?? 0,
    inPool: (pool) => {
      const model = models.find(pool.token)
      return model ? poolAmountOf(model, pool) : 0n
    },
  })
  const routine = createRoutine(seed)
  const addedTo: Added = (holder, token, atMs) =>
    moves.addedTo(holder, token, atMs) + routine.addedTo(holder, token, atMs)
  const priceOf = (model: TokenModel, atMs: number) => model.price.usd(atMs) * pressureAt(model, moves, atMs)
  const walletNow = (wallet: WalletSpec): SimWallet => {
    const nowMs = market.nowMs()
    const found = toWallet(asOf(wallet, nowMs), addedTo, nowMs)
    return { ...found, transactions: found.transactions + routine.sentBy(wallet.address, nowMs) }
  }
  return {
    get tokens() {
      return models.listed().map(({ token }) => token)
    },
    token: (address) => models.find(address)?.token,
    priceUsd(address, atMs) {
      const model = models.find(address)
      return model && atMs >= model.token.createdMs ? priceOf(model, atMs) : undefined
    },
    pool(id, atMs) {
      const found = models.findPool(id)
      if (!found || atMs < found.pool.createdMs) return undefined
      return poolStateAt(viewOf(found, moves, priceOf), atMs)
    },
    holders(address, atMs) {
      const model = models.find(address)
      return model ? holdersAt(model, addedTo, atMs) : []
    },
    holderCount(address, atMs) {
      const model = models.find(address)
      return model ? holderCountAt(model, atMs) : 0
    },
    get wallets() {
      return WALLET_LIST.map(walletNow)
    },
    wallet(address) {
      const known = address.toLowerCase()
      const found = WALLET_LIST.find((wallet) => wallet.address === known)
      return found ? walletNow(found) : strangerAt(models.listed(), known, market.nowMs())
    },
    transfersOf: createTransfers({
      seed,
      token: (address) => models.find(address)?.token,
      movesBetween: moves.between,
      routine,
    }),
    contract(given) {
      const address = given.toLowerCase()
      if (OTHER_CONTRACTS.has(address)) return { name: OTHER_CONTRACTS.get(address) }
      const pool = ADDRESS.test(address) ? models.findPool(address)?.pool : undefined
      return pool && { name: POOL_CODE[pool.dex] }
    },
    smallTransfers: routine.between,
    whaleMoves: moves.between,
  }
}

type Found = { model: TokenModel; pool: SimPool }

function openModels(seed: string, market: SimulatedMarket) {
  const launches = createLaunches(seed)
  const coins = createCoinHistory(market)
  const lasting = TOKEN_LIST.map((spec) => createTokenModel(seed, spec, coins))
  const byAddress = new Map(lasting.map((model) => [model.token.address as string, model]))
  const launched = createBoundedCache<string, TokenModel>({ capacity: MAX_LAUNCHES_KEPT })
  /** Those of tokens that nobody lists any more, once somebody asked for the token. */
  const launchedPools = createBoundedCache<string, Found>({ capacity: MAX_LAUNCHES_KEPT })
  const find = (given: string): TokenModel | undefined => {
    const address = given.toLowerCase()
    const known = byAddress.get(address)
    if (known) return known
    const spec = launches.find(address, market.nowMs())
    if (!spec) return undefined
    const kept = launched.get(address)
    if (kept) return kept
    const made = createTokenModel(seed, spec, coins)
    launched.set(address, made)
    for (const pool of made.token.pools) launchedPools.set(pool.id, { model: made, pool })
    return made
  }
  const listed = () => [
    ...lasting,
    ...launches.listed(market.nowMs()).flatMap(({ address }) => find(address) ?? []),
  ]
  return {
    lasting,
    find,
    listed,
    findPool(given: string): Found | undefined {
      const id = given.toLowerCase()
      for (const model of listed()) {
        const pool = model.token.pools.find((known) => known.id === id)
        if (pool) return { model, pool }
      }
      return launchedPools.get(id)
    },
  }
}

/** A pool's price is what it has of the one over what it has of the other: who takes a part of it moves the price. */
function pressureAt(model: TokenModel, moves: WhaleMoves, atMs: number): number {
  const { token, poolAmounts } = model
  if (token.ruggedAtMs !== undefined || !moves.trades(token.address)) return 1
  const usual = poolAmounts.reduce((sum, amount) => sum + amount, 0n)
  const now = token.pools.reduce((sum, pool) => sum + inPoolAt(model, pool, moves.addedTo, atMs), 0n)
  return (Number(usual) / Number(now)) ** 2
}

function viewOf(
  { model, pool }: Found,
  moves: WhaleMoves,
  priceOf: (model: TokenModel, atMs: number) => number,
): PoolView {
  const holder = holderOf(pool)
  return {
    model,
    pool,
    priceUsd: (atMs) => priceOf(model, atMs),
    liquidityUsd: (atMs) =>
      liquidityUsd(inPoolAt(model, pool, moves.addedTo, atMs), model.token.decimals, priceOf(model, atMs)),
    movesBetween: (fromMs, toMs) =>
      moves
        .between(fromMs, toMs)
        .filter(({ token, from, to }) => token === pool.token && (from === holder || to === holder)),
  }
}

function toWallet({ kind: _, name: __, ...wallet }: WalletSpec, addedTo: Added, nowMs: number): SimWallet {
  return {
    ...wallet,
    holdings: wallet.holdings.map(({ token, amount }) => ({
      token,
      amount: amount + addedTo(wallet.address, token, nowMs),
    })),
  }
}

const STRANGER = { ether: 40_000_000_000_000_000n, transactions: 14, approvals: [] }

/** One of a token's crowd, or who made it; undefined for who has nothing. */
function strangerAt(models: readonly TokenModel[], address: string, nowMs: number): SimWallet | undefined {
  const own = models.filter((model) => model.token.creator === address || model.isOfCrowd(address))
  const held = own.flatMap((model) =>
    [...model.crowd(), ...keptAside(model, nowMs)]
      .filter((holder) => holder.address === address && !holder.isLocked)
      .map(({ amount }) => ({ token: model.token, amount })),
  )
  if (held.length === 0) return undefined
  return {
    ...STRANGER,
    address: address as Address,
    firstSeenMs: Math.min(...held.map(({ token }) => token.createdMs)),
    holdings: held
      .filter(({ amount }) => amount > 0n)
      .map(({ token, amount }) => ({ token: token.address, amount })),
  }
}
