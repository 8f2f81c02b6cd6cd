import type { Address } from 'viem'
import { createBoundedCache } from '../../../core/bounded-cache.ts'
import { createDraws, createRandomStream, type Draws } from '../../../core/math/random.ts'
import { HOUR_MS } from '../../../core/time/time.ts'
import { CBBTC, USDC, WETH } from '../known-addresses.ts'
import { holderOf } from '../pool-holder.ts'
import type { SimPool, SimToken, WhaleMove } from '../token-world.ts'
import type { WalletSpec } from '../wallets/make-wallet.ts'
import { WALLET_LIST } from '../wallets/wallet-list.ts'

export type WhaleMoves = {
  between(fromMs: number, toMs: number): readonly WhaleMove[]
  /** Whether a token is ever among them. */
  trades(token: string): boolean
  /** What the moves of the current cycle have added to an address. */
  addedTo(holder: string, token: string, atMs: number): bigint
}

export type WhaleInput = {
  seed: string
  tokens: readonly SimToken[]
  /** Without the moves themselves. */
  priceUsd(token: Address, atMs: number): number
  /** What the pool's address holds of its token at the beginning of a cycle. */
  inPool(pool: SimPool): bigint
}

/**
 * In the first half of a cycle the large ones move money, in the second they take it back in another order. So every
 * balance begins each cycle as it was, and what somebody holds is known without adding up years.
 */
const CYCLE_MS = 4 * HOUR_MS
const HALF_MS = CYCLE_MS / 2
const FEWEST = 16
const MOST = 32
const DRAWS_EACH = 16
const MAX_CYCLES_KEPT = 48
const MAX_SPAN_MS = 40 * CYCLE_MS

const WHALES = WALLET_LIST.filter(({ kind }) => kind === 'whale')
const EXCHANGES = WALLET_LIST.filter(({ kind }) => kind === 'exchange')
const OF_WHALES: ReadonlySet<string> = new Set(
  WHALES.flatMap(({ holdings }) => holdings.map(({ token }) => token)),
)
const MONEY: ReadonlySet<string> = new Set([USDC, WETH, CBBTC])
// Of what the sender has. All moves of a half together stay below the whole.
const SMALLEST_SHARE = 0.005
const LARGEST_SHARE = 0.028

type Plan = Pick<WhaleMove, 'from' | 'to' | 'token' | 'amount' | 'kind'>

export function createWhaleMoves(input: WhaleInput): WhaleMoves {
  const stream = createRandomStream(input.seed, 'whale-moves')
  const pools = input.tokens.filter(({ address }) => !MONEY.has(address)).flatMap(({ pools }) => pools)
  const kept = createBoundedCache<number, readonly WhaleMove[]>({ capacity: MAX_CYCLES_KEPT })
  const cycleAt = (cycle: number) => {
    const known = kept.get(cycle)
    if (known) return known
    const draws = createDraws(stream)
    draws.seek(cycle * (MOST + 1) * DRAWS_EACH)
    const made = makeCycle(input, pools, cycle, draws)
    kept.set(cycle, made)
    return made
  }
  return {
    between(fromMs, toMs) {
      const firstMs = Math.max(fromMs, toMs - MAX_SPAN_MS)
      const found: WhaleMove[] = []
      for (let cycle = Math.floor(firstMs / CYCLE_MS); cycle * CYCLE_MS < toMs; cycle++)
        for (const move of cycleAt(cycle)) if (move.atMs >= firstMs && move.atMs < toMs) found.push(move)
      return found
    },
    trades: (token) => OF_WHALES.has(token),
    addedTo(holder, token, atMs) {
      let added = 0n
      if (!OF_WHALES.has(token)) return added
      for (const move of cycleAt(Math.floor(atMs / CYCLE_MS))) {
        if (move.atMs > atMs) break
        if (move.token !== token) continue
        if (move.to === holder) added += move.amount
        if (move.from === holder) added -= move.amount
      }
      return added
    },
  }
}

function makeCycle(
  input: WhaleInput,
  pools: readonly SimPool[],
  cycle: number,
  draws: Draws,
): readonly WhaleMove[] {
  const startMs = cycle * CYCLE_MS
  const count = FEWEST + draws.below(MOST - FEWEST)
  const moves: WhaleMove[] = []
  for (let i = 0; i < count; i++) {
    draws.seek((cycle * (MOST + 1) + i + 1) * DRAWS_EACH)
    const plan = drawPlan(input, pools, draws)
    if (!plan) continue
    const thereMs = Math.round(startMs + draws.uniform() * (HALF_MS - 1))
    const backMs = Math.round(startMs + HALF_MS + draws.uniform() * (HALF_MS - 1))
    moves.push(toMove(input, `${cycle}-${i}`, thereMs, plan, draws))
    moves.push(toMove(input, `${cycle}-${i}-back`, backMs, reversed(plan), draws))
  }
  return moves.sort((a, b) => a.atMs - b.atMs)
}

function drawPlan({ inPool }: WhaleInput, pools: readonly SimPool[], draws: Draws): Plan | undefined {
  const kind = draws.uniform()
  const [whale, exchange, other] = [pick(WHALES, draws), pick(EXCHANGES, draws), pick(WHALES, draws)]
  const share = SMALLEST_SHARE + (LARGEST_SHARE - SMALLEST_SHARE) * draws.uniform() ** 2
  if (kind < 0.35) return toPlan(whale, exchange, 'to_exchange', share, draws)
  if (kind < 0.65) return toPlan(exchange, whale, 'from_exchange', share, draws)
  if (kind < 0.75) return whale === other ? undefined : toPlan(whale, other, 'wallet_to_wallet', share, draws)
  const held = pools.filter(({ token }) => whale.holdings.some((own) => own.token === token))
  const pool = held.length > 0 ? pick(held, draws) : undefined
  const own = whale.holdings.find(({ token }) => token === pool?.token)?.amount
  if (!pool || own === undefined) return undefined
  // A pool is thinner than a wallet: what would empty it is not sent.
  const smaller = min(own, inPool(pool))
  const trade = { token: pool.token, amount: part(smaller, share) }
  const holder = holderOf(pool)
  return kind < 0.88
    ? { kind: 'pool_buy', from: holder, to: whale.address, ...trade }
    : { kind: 'pool_sell', from: whale.address, to: holder, ...trade }
}

function toPlan(
  from: WalletSpec,
  to: WalletSpec,
  kind: Plan['kind'],
  share: number,
  draws: Draws,
): Plan | undefined {
  const shared = from.holdings.filter(
    ({ token }) => MONEY.has(token) && to.holdings.some((own) => own.token === token),
  )
  if (shared.length === 0) return undefined
  const { token, amount } = pick(shared, draws)
  return { kind, from: from.address, to: to.address, token, amount: part(amount, share) }
}

const BACK: Readonly<Record<WhaleMove['kind'], WhaleMove['kind']>> = {
  to_exchange: 'from_exchange',
  from_exchange: 'to_exchange',
  wallet_to_wallet: 'wallet_to_wallet',
  pool_buy: 'pool_sell',
  pool_sell: 'pool_buy',
}
const reversed = ({ from, to, kind, ...rest }: Plan): Plan => ({
  ...rest,
  from: to,
  to: from,
  kind: BACK[kind],
})

/** Its worth is looked up when it is asked for: who adds up balances needs no price. */
function toMove(input: WhaleInput, id: string, atMs: number, plan: Plan, draws: Draws): WhaleMove {
  const use = { isUsed: draws.uniform() < 0.8, share: 0.4 + 0.6 * draws.uniform(), coin: pick(BOUGHT, draws) }
  const { decimals = 18 } = input.tokens.find(({ address }) => address === plan.token) ?? {}
  return {
    id,
    atMs,
    ...plan,
    get usd() {
      return (Number(plan.amount) / 10 ** decimals) * input.priceUsd(plan.token, atMs)
    },
    get tape() {
      return tapeOf(plan, this.usd, use)
    },
  }
}

const BOUGHT = ['BTC', 'ETH', 'SOL', 'XRP'] as const

type Use = { isUsed: boolean; share: number; coin: (typeof BOUGHT)[number] }

/** What arrives at an exchange is mostly used there soon: coins are sold, dollars buy some. */
function tapeOf({ kind, to, token }: Plan, usd: number, { isUsed, share, coin }: Use): WhaleMove['tape'] {
  if (kind !== 'to_exchange' || !isUsed) return undefined
  const exchange = EXCHANGES.find(({ address }) => address === to)?.name.split('-')[0] ?? ''
  if (token === USDC) return { coin, side: 'buy', usd: usd * share, exchange }
  return { coin: token === WETH ? 'ETH' : 'BTC', side: 'sell', usd: usd * share, exchange }
}

function pick<T>(from: readonly T[], draws: Draws): T {
  const found = from[draws.below(from.length)]
  if (found === undefined) throw new RangeError('nothing to choose from')
  return found
}
const min = (a: bigint, b: bigint) => (a < b ? a : b)
const part = (amount: bigint, share: number) => (amount * BigInt(Math.round(share * 1e6))) / 1_000_000n
