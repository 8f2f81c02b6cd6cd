import { DAY_MS, HOUR_MS } from '../../../core/time/time.ts'
import { BURNT, POOL_MANAGER } from '../known-addresses.ts'
import { holderOf } from '../pool-holder.ts'
import { poolAmountOf, type TokenModel } from '../token-model.ts'
import type { SimHolder } from '../token-world.ts'
import { unitsOf } from '../units.ts'
import { CROWD_SHOWN } from './crowd.ts'
import { WALLET_LIST } from './wallet-list.ts'

/** What the moves of the large ones have added to an address. */
export type Added = (holder: string, token: string, atMs: number) => bigint

/** The dust that somebody who empties a pool leaves. */
const LEFT_IN_POOL = 1_000n

/** Those with the largest shares, largest first. */
export function holdersAt(model: TokenModel, added: Added, atMs: number): readonly SimHolder[] {
  const { token } = model
  if (atMs < token.createdMs) return []
  const supply = Number(token.totalSupply)
  return [
    ...inPools(model, added, atMs),
    ...keptAside(model, atMs),
    ...inWallets(model, added, atMs),
    ...model.crowd(),
  ]
    .filter(({ amount }) => amount > 0n)
    .map((holder) => ({ ...holder, share: Number(holder.amount) / supply }))
    .sort((a, b) => b.share - a.share)
}

type Holder = Omit<SimHolder, 'share'>

/** What a pool holds of its token: less after large buys, next to nothing after a rug. */
export function inPoolAt(
  model: TokenModel,
  pool: TokenModel['token']['pools'][number],
  added: Added,
  atMs: number,
): bigint {
  const { token } = model
  const amount = poolAmountOf(model, pool)
  if (token.ruggedAtMs !== undefined && atMs > token.ruggedAtMs) return amount / LEFT_IN_POOL
  return amount + added(holderOf(pool), token.address, atMs)
}

function inPools(model: TokenModel, added: Added, atMs: number): Holder[] {
  const { token } = model
  return token.pools
    .filter(({ createdMs }) => createdMs <= atMs)
    .map((pool) => {
      const address = holderOf(pool)
      const amount = inPoolAt(model, pool, added, atMs)
      const label = address === POOL_MANAGER ? 'Uniswap v4: pool manager' : `Pool: ${pool.dex}`
      return { address, amount, isContract: true, isLocked: false, label }
    })
}

/** What was burnt and what the creator has: after a rug also what was in the pools. */
export function keptAside({ spec, token, poolAmounts }: TokenModel, atMs: number): Holder[] {
  const share = (of: number | undefined) => unitsOf(spec.supply * (of ?? 0), spec.decimals)
  const isRugged = token.ruggedAtMs !== undefined && atMs > token.ruggedAtMs
  const taken = isRugged ? poolAmounts.reduce((sum, amount) => sum + amount - amount / LEFT_IN_POOL, 0n) : 0n
  return [
    { address: BURNT, amount: share(spec.burnt), isContract: false, isLocked: true, label: 'Burnt' },
    { address: token.creator, amount: share(spec.ofCreator) + taken, isContract: false, isLocked: false },
  ]
}

function inWallets({ token }: TokenModel, added: Added, atMs: number): Holder[] {
  return WALLET_LIST.flatMap(({ address, holdings, label, firstSeenMs }) => {
    const held = holdings.find((own) => own.token === token.address)
    if (!held || firstSeenMs > atMs) return []
    const amount = held.amount + added(address, token.address, atMs)
    return [{ address, amount, isContract: false, isLocked: false, ...(label && { label }) }]
  })
}

/** Holders come quickly to what is new and slowly to what lasts. */
export function holderCountAt({ spec }: TokenModel, atMs: number): number {
  const ageMs = atMs - spec.createdMs
  if (ageMs < 0) return 0
  const isLaunch = spec.course.follows === 'nobody' && spec.course.launch !== undefined
  const grown = 1 - Math.exp(-ageMs / (isLaunch ? 3 * HOUR_MS : 60 * DAY_MS))
  return CROWD_SHOWN + 2 + Math.floor(spec.holderCount * grown)
}
