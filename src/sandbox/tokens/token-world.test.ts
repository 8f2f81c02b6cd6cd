import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time/time.ts'
import { createSimulatedMarket } from '../market/simulated-market.ts'
import { createTokenWorld } from './create-token-world.ts'
import { CBBTC, PROJECT_TOKEN, USDC, WETH } from './known-addresses.ts'
import { holderOf } from './pool-holder.ts'
import { SPANS } from './token-world.ts'
import { WALLET_LIST } from './wallets/wallet-list.ts'

const NOW_MS = Date.UTC(2026, 4, 6, 13, 17)
const market = createSimulatedMarket({ seed: 'world', startMs: NOW_MS, cadence: { bookEveryMs: 1_000 } })
let nowMs = NOW_MS
const at = <T>(ms: number, read: () => T): T => {
  nowMs = ms
  try {
    return read()
  } finally {
    nowMs = NOW_MS
  }
}
const open = (seed = 'world') => createTokenWorld({ seed, market: { ...market, nowMs: () => nowMs } })
const world = open()
const stateOf = (id: string, atMs = NOW_MS) => {
  const state = world.pool(id, atMs)
  if (!state) throw new Error(`no pool ${id}`)
  return state
}

describe('the simulated Base', () => {
  it('depends on seed and time only', () => {
    const other = open()
    for (const token of world.tokens) {
      expect(other.token(token.address.toUpperCase().replace('0X', '0x'))).toEqual(token)
      expect(other.priceUsd(token.address, NOW_MS)).toBe(world.priceUsd(token.address, NOW_MS))
      for (const { id } of token.pools) expect(other.pool(id, NOW_MS)).toEqual(world.pool(id, NOW_MS))
    }
    expect(other.whaleMoves(NOW_MS - HOUR_MS, NOW_MS).map(({ id, usd }) => [id, usd])).toEqual(
      world.whaleMoves(NOW_MS - HOUR_MS, NOW_MS).map(({ id, usd }) => [id, usd]),
    )
    expect(open('another').priceUsd(PROJECT_TOKEN, NOW_MS)).not.toBe(world.priceUsd(PROJECT_TOKEN, NOW_MS))
  })

  it('has every address once', () => {
    const addresses = [
      ...world.tokens.flatMap(({ address, pools }) => [address, ...pools.map(({ id }) => id)]),
      ...world.wallets.map(({ address }) => address),
    ]
    expect(new Set(addresses).size).toBe(addresses.length)
    expect(addresses.every((address) => /^0x(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(address))).toBe(true)
    expect(world.tokens.length).toBeGreaterThan(38)
    expect(world.token(`0x${'1'.repeat(40)}`)).toBeUndefined()
    expect(world.pool(`0x${'1'.repeat(40)}`, NOW_MS)).toBeUndefined()
  })

  it('prices coins as the market does, and dollars at a dollar', () => {
    const price = (coin: 'ETH' | 'BTC') => Math.exp(market.latent.logPrice('coinbase', coin, NOW_MS))
    expect(world.priceUsd(WETH, NOW_MS)).toBe(price('ETH'))
    expect(world.priceUsd(CBBTC, NOW_MS)).toBe(price('BTC'))
    expect(Math.abs((world.priceUsd(USDC, NOW_MS) ?? 0) - 1)).toBeLessThan(0.002)
    // Far back it is cheap to ask, and right at midnight.
    const midnight = Math.floor(NOW_MS / DAY_MS) * DAY_MS - 5 * DAY_MS
    const exact = Math.exp(market.latent.logPrice('coinbase', 'ETH', midnight))
    expect(world.priceUsd(WETH, midnight)).toBeCloseTo(exact, 6)
  })

  it('moves prices by about as much as their volatility says', () => {
    const moves = Array.from({ length: 400 }, (_, i) => {
      const ms = NOW_MS - i * 7 * MINUTE_MS
      const price = (atMs: number) => world.priceUsd(PROJECT_TOKEN, atMs) ?? 0
      return Math.log(price(ms) / price(ms - MINUTE_MS))
    })
    const perMinute = Math.sqrt(moves.reduce((sum, move) => sum + move ** 2, 0) / moves.length)
    expect(perMinute / 15e-4).toBeGreaterThan(0.5)
    expect(perMinute / 15e-4).toBeLessThan(2)
  })
})

describe('pools', () => {
  it('change as their price path does, and trade more over longer spans', () => {
    for (const token of world.tokens)
      for (const pool of token.pools) {
        const state = stateOf(pool.id)
        const before = world.priceUsd(token.address, Math.max(NOW_MS - HOUR_MS, pool.createdMs)) ?? 0
        expect(state.change.h1).toBeCloseTo((state.priceUsd / before - 1) * 100, 9)
        const volumes = SPANS.map((span) => state.volumeUsd[span])
        expect(volumes).toEqual([...volumes].sort((a, b) => a - b))
        const buys = SPANS.map((span) => state.trades[span].buys)
        expect(buys).toEqual([...buys].sort((a, b) => a - b))
        const numbers = [state.priceUsd, state.liquidityUsd, ...volumes, ...Object.values(state.change)]
        expect(numbers.every(Number.isFinite)).toBe(true)
      }
  })

  it('feel a large trade: the price jumps and the volume has it', () => {
    const move = world.whaleMoves(NOW_MS - DAY_MS, NOW_MS).find(({ kind }) => kind === 'pool_buy')
    const token = move && world.token(move.token)
    const pool = token?.pools.find((each) => holderOf(each) === move?.from)
    if (!move || !pool) throw new Error('nobody bought')
    const [before, after] = [stateOf(pool.id, move.atMs - 1), stateOf(pool.id, move.atMs + 1)]
    expect(after.priceUsd).toBeGreaterThan(before.priceUsd)
    expect(after.volumeUsd.m5 - before.volumeUsd.m5).toBeGreaterThan(move.usd * 0.99)
  })

  it('lose everything in a rug, and nobody sells a honeypot', () => {
    const rugged = world.tokens.filter(({ ruggedAtMs }) => ruggedAtMs !== undefined)
    expect(rugged.some(({ ruggedAtMs = 0 }) => ruggedAtMs < NOW_MS)).toBe(true)
    expect(rugged.some(({ ruggedAtMs = 0 }) => ruggedAtMs > NOW_MS)).toBe(true)
    for (const { pools, ruggedAtMs = 0, address, creator } of rugged) {
      const id = pools[0]?.id ?? ''
      const [before, after] = [stateOf(id, ruggedAtMs), stateOf(id, ruggedAtMs + HOUR_MS)]
      expect(after.liquidityUsd).toBeLessThan(before.liquidityUsd / 1_000)
      expect(after.priceUsd).toBeLessThan(before.priceUsd / 1_000)
      expect(stateOf(id, ruggedAtMs + DAY_MS + 1).volumeUsd.h24).toBe(0)
      const share = (ms: number) =>
        world.holders(address, ms).find((each) => each.address === creator)?.share ?? 0
      expect(share(ruggedAtMs + 1)).toBeGreaterThan(share(ruggedAtMs))
    }
    for (const { pools, traits } of world.tokens)
      if (traits.isHoneypot) expect(stateOf(pools[0]?.id ?? '').trades.h24.sells).toBe(0)
  })
})

describe('holders', () => {
  it('hold no more than there is, and those who are named hold what their wallets say', () => {
    for (const { address, totalSupply } of world.tokens) {
      const holders = world.holders(address, NOW_MS)
      const sum = holders.reduce((all, { amount }) => all + amount, 0n)
      expect(sum).toBeLessThanOrEqual(totalSupply)
      expect(holders.every(({ amount, share }) => amount > 0n && share > 0 && share < 1)).toBe(true)
      expect(world.holderCount(address, NOW_MS)).toBeGreaterThan(20)
      for (const holder of holders) {
        const held = world.wallet(holder.address)?.holdings.find(({ token }) => token === address)
        if (!holder.isContract && !holder.isLocked) expect(held?.amount).toBe(holder.amount)
      }
    }
  })

  it('never go below nothing, and begin every cycle as they were', () => {
    const sums = (ms: number, wallets = WALLET_LIST) =>
      at(ms, () => wallets.map(({ address }) => world.wallet(address)?.holdings ?? []))
    const large = WALLET_LIST.filter(({ kind }) => kind !== 'other')
    const startMs = Math.floor(NOW_MS / (4 * HOUR_MS)) * 4 * HOUR_MS
    for (let ms = startMs; ms < startMs + 4 * HOUR_MS; ms += 10 * MINUTE_MS)
      for (const holdings of sums(ms)) expect(holdings.every(({ amount }) => amount > 0n)).toBe(true)
    expect(sums(startMs + 4 * HOUR_MS - 1, large)).toEqual(sums(startMs - 1, large))
  })

  it('have what their transfers leave them, and have sent as many', () => {
    const [fromMs, toMs] = [NOW_MS - 6 * HOUR_MS, NOW_MS]
    const transfers = world.smallTransfers(fromMs, toMs)
    expect(transfers.length).toBeGreaterThan(100)
    for (const { address, kind } of WALLET_LIST.filter((wallet) => wallet.kind === 'other')) {
      const [before, after] = [fromMs - 1, toMs - 1].map((ms) => at(ms, () => world.wallet(address)))
      const own = transfers.filter(({ from, to }) => from === address || to === address)
      const sent = own.filter(({ from }) => from === address)
      for (const [i, { token, amount }] of (before?.holdings ?? []).entries()) {
        const moved = own
          .filter((one) => one.token === token)
          .reduce((sum, one) => sum + (one.to === address ? one.amount : -one.amount), 0n)
        expect([kind, after?.holdings[i]?.amount]).toEqual([kind, amount + moved])
      }
      expect(after?.transactions).toBe((before?.transactions ?? 0) + sent.length)
    }
  })
})

describe('large moves', () => {
  it('come some five to twenty times an hour, in order, within what was asked for', () => {
    const moves = world.whaleMoves(NOW_MS - DAY_MS, NOW_MS)
    expect(moves.length / 24).toBeGreaterThan(5)
    expect(moves.length / 24).toBeLessThan(20)
    const times = moves.map(({ atMs }) => atMs)
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(times.every((ms) => ms >= NOW_MS - DAY_MS && ms < NOW_MS)).toBe(true)
    expect(new Set(moves.map(({ kind }) => kind)).size).toBe(5)
    expect(moves.every(({ usd, amount }) => usd > 0 && amount > 0n)).toBe(true)
    expect(new Set(moves.map(({ id }) => id)).size).toBe(moves.length)
    for (const { tape, kind } of moves) if (tape) expect(kind).toBe('to_exchange')
    expect(world.whaleMoves(NOW_MS, NOW_MS)).toEqual([])
  })

  it('show among the transfers of both sides', () => {
    const move = world.whaleMoves(NOW_MS - HOUR_MS, NOW_MS).find(({ kind }) => kind.endsWith('exchange'))
    if (!move) throw new Error('nothing moved')
    const [sent, received] = [move.from, move.to].map((wallet) =>
      world
        .transfersOf(wallet, NOW_MS, 200)
        .find(({ atMs, amount }) => atMs === move.atMs && amount === move.amount),
    )
    expect(sent).toMatchObject({ from: move.from, to: move.to, token: move.token })
    expect(received).toEqual(sent)
  })
})

it('always has a wallet that is hardly a day old', () => {
  for (const ms of [NOW_MS, NOW_MS + 40 * DAY_MS])
    at(ms, () => {
      const ages = world.wallets.map(({ firstSeenMs }) => ms - firstSeenMs)
      expect(Math.min(...ages)).toBeLessThan(1.25 * DAY_MS)
    })
})

describe('launches', () => {
  it('come out all the time and are found when nobody lists them any more', () => {
    const ages = world.tokens.map(({ createdMs }) => NOW_MS - createdMs)
    expect(Math.min(...ages)).toBeGreaterThanOrEqual(0)
    expect(Math.min(...ages)).toBeLessThan(90 * MINUTE_MS)
    const newest = world.tokens.find(({ createdMs }) => NOW_MS - createdMs === Math.min(...ages))
    if (!newest) throw new Error('nothing is new')
    expect(at(newest.createdMs - 1, () => world.token(newest.address))).toBeUndefined()
    at(NOW_MS + 3 * DAY_MS, () => {
      expect(world.tokens).not.toContainEqual(newest)
      expect(world.token(newest.address)).toEqual(newest)
      expect(world.pool(newest.pools[0]?.id ?? '', NOW_MS + 3 * DAY_MS)).toBeDefined()
    })
  })
})
