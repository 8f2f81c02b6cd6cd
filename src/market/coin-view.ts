import type { Clock } from '../core/time/clock.ts'
import { type OracleTick, PRICE_KINDS, type PriceKind } from '../feeds/events.ts'
import { type Basis, createBasisTracker } from './basis.ts'
import { createOracleHistory, type OracleHistory, type OracleState } from './oracle-history.ts'
import type { Pair } from './pair.ts'
import { findGoodMid, findQuote, PRICE_FRESH_MS, type Price, type Quote } from './price.ts'

/** `version` rises with every tick, backfilled ones included. */
export type OracleView = {
  last: Readonly<Record<PriceKind, OracleTick | undefined>>
  version: number
  history(kind: PriceKind, seconds: number): readonly OracleTick[]
}

/** All that a coin has beside its pairs. */
export type CoinState = { basis: Basis | undefined; oracle: Readonly<Record<PriceKind, OracleState>> }

/** Price, basis and oracle of one coin, from both venues. */
export type CoinView = {
  /** Call after each change of either pair. */
  pairChanged(): void
  bookChanged(): void
  oracleTick(tick: OracleTick): void
  price(): Price | undefined
  oracle(): OracleView
  basis(): Basis | undefined
  /** As another process has it, which has seen every book. */
  setBasis(basis: Basis | undefined): void
  snapshot(): CoinState
  /** Versions go on rising. */
  restore(state: CoinState): void
}

export function createCoinView({ clock, usd, usdt }: { clock: Clock; usd: Pair; usdt: Pair }): CoinView {
  const basis = createBasisTracker()
  const price = createVersionedPrice(clock, (nowMs) => findQuote(usd, usdt, basis.read(), nowMs))
  const histories: Record<PriceKind, OracleHistory> = {
    twap_60s: createOracleHistory(),
    spot: createOracleHistory(),
  }
  let oracleVersion = 0

  return {
    pairChanged: price.invalidate,
    bookChanged() {
      const ours = usd.readBook()
      const theirs = usdt.readBook()
      const usdMid = findGoodMid(ours)
      const usdtMid = findGoodMid(theirs)
      if (ours && theirs && usdMid && usdtMid) basis.observe(usdtMid, theirs.asOfMs, usdMid, ours.asOfMs)
      price.invalidate()
    },
    oracleTick(tick) {
      histories[tick.kind].apply(tick)
      oracleVersion++
    },
    price: price.read,
    oracle: () => ({
      last: { twap_60s: histories.twap_60s.newest, spot: histories.spot.newest },
      version: oracleVersion,
      history: (kind, seconds) => histories[kind].history(seconds),
    }),
    basis: basis.read,
    setBasis(next) {
      basis.restore(next)
      price.invalidate()
    },
    snapshot: () => ({
      basis: basis.read(),
      oracle: { twap_60s: histories.twap_60s.snapshot(), spot: histories.spot.snapshot() },
    }),
    restore(state) {
      basis.restore(state.basis)
      for (const kind of PRICE_KINDS) histories[kind].restore(state.oracle[kind])
      oracleVersion++
      price.invalidate()
    },
  }
}

/** Recomputed when read, and only after a change or once the current price is too old. */
function createVersionedPrice(clock: Clock, find: (nowMs: number) => Quote | undefined) {
  let current: Price | undefined
  let version = 0
  let isStale = true
  let expiresMs = Number.POSITIVE_INFINITY
  return {
    invalidate() {
      isStale = true
    },
    read(): Price | undefined {
      const nowMs = clock.now()
      if (!isStale && nowMs <= expiresMs) return current
      const found = find(nowMs)
      isStale = false
      expiresMs = found ? found.asOfMs + PRICE_FRESH_MS : Number.POSITIVE_INFINITY
      if (isSame(current, found)) return current
      version++
      current = found && { ...found, version }
      return current
    },
  }
}

function isSame(a: Quote | undefined, b: Quote | undefined): boolean {
  return a?.price === b?.price && a?.asOfMs === b?.asOfMs && a?.source === b?.source
}
