import type { Address } from 'viem'
import { createBoundedCache } from '../../../core/bounded-cache.ts'
import { createDraws, createRandomStream, type Draws } from '../../../core/math/random.ts'
import { HOUR_MS, MINUTE_MS } from '../../../core/time/time.ts'
import { WETH } from '../known-addresses.ts'
import { simAddress } from '../sim-address.ts'
import type { TokenTraits } from '../token-world.ts'
import type { TokenSpec } from './token-spec.ts'

/** Tokens that come out one after the other, so that at any time some are minutes old and some are about to be drained. */
export type Launches = {
  /** Those that are young enough to be talked of, newest first. */
  listed(nowMs: number): readonly TokenSpec[]
  /** Also those that nobody lists any more. */
  find(address: string, nowMs: number): TokenSpec | undefined
}

const EVERY_MS = 45 * MINUTE_MS
const LISTED = 12
const DRAWS_EACH = 32
const MAX_KEPT = 64
/** An address begins with the number of its launch, hidden behind a mask, so that old ones are found without a list. */
const NUMBER_DIGITS = 8

type Kind = { traits: Partial<TokenTraits>; rugAfterMs?: readonly [number, number]; isOwned: boolean }
/** In turn. */
const KINDS: readonly Kind[] = [
  { traits: { lockedLiquidity: 1 }, isOwned: false },
  { traits: { lockedLiquidity: 0, canMint: true }, rugAfterMs: [20 * MINUTE_MS, 2 * HOUR_MS], isOwned: true },
  { traits: { lockedLiquidity: 0.8 }, isOwned: false },
  { traits: { isHoneypot: true, lockedLiquidity: 0, isOpenSource: false }, isOwned: true },
  { traits: { lockedLiquidity: 0 }, rugAfterMs: [2 * HOUR_MS, 7 * HOUR_MS], isOwned: true },
  { traits: { buyTax: 0.05, sellTax: 0.15, lockedLiquidity: 0.4 }, isOwned: true },
]
const FIRST = [
  'Turbo',
  'Baby',
  'Based',
  'Sleepy',
  'Galactic',
  'Wet',
  'Captain',
  'Degenerate',
  'Quantum',
  'Salty',
]
const LAST = [
  'Anchovy',
  'Walrus',
  'Seahorse',
  'Kraken',
  'Puffin',
  'Squid',
  'Shrimp',
  'Dolphin',
  'Urchin',
  'Manatee',
]

export function createLaunches(seed: string): Launches {
  const stream = createRandomStream(seed, 'launch')
  const mask = createRandomStream(seed, 'launch-mask').uint32(0)
  const kept = createBoundedCache<number, TokenSpec>({ capacity: MAX_KEPT })
  const at = (number: number) => {
    const known = kept.get(number)
    if (known) return known
    const draws = createDraws(stream)
    draws.seek(number * DRAWS_EACH)
    const made = makeLaunch(seed, number, addressOf(seed, number, mask), draws)
    kept.set(number, made)
    return made
  }
  return {
    listed(nowMs) {
      const newest = Math.floor(nowMs / EVERY_MS)
      return Array.from({ length: LISTED + 1 }, (_, back) => at(newest - back))
        .filter(({ createdMs }) => createdMs <= nowMs)
        .slice(0, LISTED)
    },
    find(address, nowMs) {
      const number = (Number.parseInt(address.slice(2, 2 + NUMBER_DIGITS), 16) ^ mask) >>> 0
      if (number > nowMs / EVERY_MS || address !== addressOf(seed, number, mask)) return undefined
      const found = at(number)
      return found.createdMs <= nowMs ? found : undefined
    },
  }
}

function addressOf(seed: string, number: number, mask: number): Address {
  const head = ((number ^ mask) >>> 0).toString(16).padStart(NUMBER_DIGITS, '0')
  return `0x${head}${simAddress(`launch/${seed}/${number}`).slice(2 + NUMBER_DIGITS)}`
}

function makeLaunch(seed: string, number: number, address: Address, draws: Draws): TokenSpec {
  const { traits, rugAfterMs, isOwned } = KINDS[number % KINDS.length] ?? { traits: {}, isOwned: false }
  const between = (from: number, to: number) => from + (to - from) * draws.uniform()
  const createdMs = Math.round(number * EVERY_MS + between(0, EVERY_MS / 2))
  const [first, last] = [FIRST[draws.below(FIRST.length)] ?? '', LAST[draws.below(LAST.length)] ?? '']
  return {
    key: `launch/${seed}/${number}`,
    address,
    name: `${first} ${last}`,
    symbol: `${first.slice(0, 1)}${last.slice(0, 5)}`.toUpperCase(),
    decimals: 18,
    supply: 1_000_000_000,
    createdMs,
    ...(rugAfterMs && { ruggedAtMs: Math.round(createdMs + between(...rugAfterMs)) }),
    course: {
      follows: 'nobody',
      priceUsd: Math.exp(between(Math.log(2e-5), Math.log(3e-4))),
      volPerMinute: between(60e-4, 110e-4),
      launch: { climb: between(0.5, 3), climbMs: between(10, 90) * MINUTE_MS, fall: between(0.2, 2) },
    },
    inPools: between(0.15, 0.45),
    ofCreator: between(0.02, 0.15),
    crowdTop: between(0.3, 0.7),
    holderCount: Math.round(between(80, 2_500)),
    turnover: between(3, 14),
    pools: [{ dex: number % 2 ? 'uniswap-v4-base' : 'uniswap-v3-base', quote: WETH }],
    isOwned,
    traits,
  }
}
