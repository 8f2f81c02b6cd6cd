import type { Coin } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import { MINUTE_MS, SECOND_MS } from '../../core/time/time.ts'
import type { LiquidationFeed } from '../../feeds/liquidations/liquidation-feed.ts'
import type { Market } from '../../market/market.ts'
import type { PerpetualVenue } from '../../upstreams/perpetuals/perpetual-venue.ts'
import { type Ages, type Part, toPart } from '../part.ts'
import { cascadeRiskOf } from './cascade-risk.ts'
import { DERIVATIVES_VENUES, type DerivativesVenue } from './derivatives.ts'
import type { CoinDerivatives, DerivativesDesk, PerpetualDetail } from './derivatives-desk.ts'
import { divergenceOf, spreadsOf, weightedMean } from './funding-divergence.ts'
import { heardEnough } from './heard-enough.ts'
import { findImplausible } from './implausible.ts'
import { medianOf } from './median.ts'
import { createVenueDesk } from './venue-desk.ts'
import { VOLATILITY_MINUTES, volatilityRatioOf } from './volatility-ratio.ts'

/** Sums of liquidations are made in steps of this: a day of minutes is summed up, and replies are kept in between. */
const STEP_MS = 5 * SECOND_MS
const LIQUIDATION_AGES: Ages = { freshMs: MINUTE_MS, hardMs: 10 * MINUTE_MS }
const VOLATILITY_AGES: Ages = { freshMs: 2 * MINUTE_MS, hardMs: 10 * MINUTE_MS }
const LIQUIDATION_SOURCE = 'binance_futures+bybit+okx'
const VOLATILITY_SOURCE = 'binance_candles'

type Ports = {
  clock: Clock
  random: () => number
  venues: Readonly<Record<DerivativesVenue, PerpetualVenue>>
  liquidations: LiquidationFeed
  market: Pick<Market, 'candles' | 'price'>
}

export type RunningDerivatives = DerivativesDesk & {
  /** Resolves when every venue has been asked once, well or not. */
  start(): Promise<void>
  stop(): void
}

export function createDerivatives(ports: Ports): RunningDerivatives {
  const { clock, venues, liquidations, market } = ports
  const desks = DERIVATIVES_VENUES.map((venue) => ({
    venue,
    desk: createVenueDesk(venue, venues[venue], ports),
  }))
  const version = () => `${desks.map(({ desk }) => desk.reads()).join()}|${Math.floor(clock.now() / STEP_MS)}`
  const oncePerVersion = createOncePer(version)

  const sumUp: DerivativesDesk['liquidationTotals'] = (coin, span) => {
    const nowMs = clock.now()
    const [value, heardMs] = [liquidations.totals(coin, span), liquidations.heardMs()]
    const asOfMs = heardMs === undefined ? undefined : Math.floor(heardMs / STEP_MS) * STEP_MS
    const found = value && asOfMs !== undefined ? { value, asOfMs } : undefined
    return heardEnough(toPart({ source: LIQUIDATION_SOURCE, ages: LIQUIDATION_AGES, nowMs }, found), span)
  }
  const measure = (coin: Coin): Part<number> => {
    const nowMs = clock.now()
    const found = volatilityRatioOf(market.candles('binance', coin, VOLATILITY_MINUTES), nowMs)
    return toPart(
      { source: VOLATILITY_SOURCE, ages: VOLATILITY_AGES, nowMs },
      found && { value: found.ratio, asOfMs: found.asOfMs },
    )
  }
  const volatility = (coin: Coin) => oncePerVersion(`volatility ${coin}`, () => measure(coin))
  const perpetual = createPerpetuals(desks, market)
  const lookOver = (coin: Coin): CoinDerivatives => {
    const told = DERIVATIVES_VENUES.flatMap((venue) => {
      const { value } = perpetual(venue, coin)
      return value ? { venue, ...value } : []
    })
    const [sums, traded] = [sumsOf(told), sumsOfTraded(told)]
    const past = spreadsOf(desks.map(({ desk }) => desk.pastFunding(coin)))
    return {
      ...sums,
      divergence: divergenceOf(told, past),
      cascade: cascadeRiskOf({
        ...sums,
        // Of the venues that tell the volume as well.
        openInterestUsd: traded.openInterestUsd ?? sums.openInterestUsd,
        liquidations: liquidations.burst(coin),
        volatilityRatio: volatility(coin).value,
      }),
    }
  }
  const liquidationTotals: DerivativesDesk['liquidationTotals'] = (coin, span) =>
    oncePerVersion(`${span} ${coin}`, () => sumUp(coin, span))
  return {
    perpetual,
    liquidations: (coin) => liquidationTotals(coin, 'hour'),
    liquidationTotals,
    volatility,
    overview: (coin) => oncePerVersion(`overview ${coin}`, () => lookOver(coin)),
    version,
    async start() {
      liquidations.start()
      await Promise.all(desks.map(({ desk }) => desk.start()))
    },
    stop() {
      liquidations.stop()
      for (const { desk } of desks) desk.stop()
    },
  }
}

type Desk = { venue: DerivativesVenue; desk: ReturnType<typeof createVenueDesk> }

/** A venue whose figures cannot be is missing: weighted by its own open interest it would decide alone. */
function createPerpetuals(desks: readonly Desk[], market: Ports['market']): DerivativesDesk['perpetual'] {
  const deskOf = new Map(desks.map(({ venue, desk }) => [venue, desk]))
  /** Our own, else what most venues say. */
  const priceOf = (coin: Coin) =>
    market.price(coin)?.price ??
    medianOf(desks.flatMap(({ desk }) => desk.perpetual(coin).value?.markPrice ?? []))
  return (venue, coin) => {
    const part = deskOf.get(venue)?.perpetual(coin)
    if (!part) return { source: venue, status: 'missing', reason: 'not followed' }
    const others = desks.flatMap((other) =>
      other.venue === venue ? [] : (other.desk.perpetual(coin).value ?? []),
    )
    const reason = part.value && findImplausible(part.value, { coin, price: priceOf(coin), others })
    return reason === undefined ? part : { source: part.source, status: 'missing', reason }
  }
}

/** Several products show the same figures, which take milliseconds to make. Names are few. */
function createOncePer(version: () => string) {
  let current = ''
  const made = new Map<string, unknown>()
  return <T>(name: string, make: () => T): T => {
    const now = version()
    if (now !== current) made.clear()
    current = now
    if (!made.has(name)) made.set(name, make())
    return made.get(name) as T
  }
}

type Told = PerpetualDetail & { venue: DerivativesVenue }

function sumsOf(told: readonly Told[]): Omit<CoinDerivatives, 'divergence' | 'cascade'> {
  // Dollars a day ago at today's price, so that the change is one of positions.
  const changed = told.flatMap(({ openInterestUsd, openInterestChange24h: change }) =>
    change === undefined || change <= -1
      ? []
      : { nowUsd: openInterestUsd, thenUsd: openInterestUsd / (1 + change) },
  )
  const thenUsd = sum(changed.map((each) => each.thenUsd))
  return {
    openInterestUsd: told.length === 0 ? undefined : sum(told.map(({ openInterestUsd }) => openInterestUsd)),
    openInterestChange24h: thenUsd > 0 ? sum(changed.map(({ nowUsd }) => nowUsd)) / thenUsd - 1 : undefined,
    volume24hUsd: sumsOfTraded(told).volume24hUsd,
    funding8h: weightedMean(told),
  }
}

/** Open interest and volume of those venues that tell both. */
function sumsOfTraded(told: readonly Told[]) {
  const traded = told.flatMap(({ openInterestUsd, volume24hUsd }) =>
    volume24hUsd === undefined ? [] : { openInterestUsd, volume24hUsd },
  )
  if (traded.length === 0) return { openInterestUsd: undefined, volume24hUsd: undefined }
  return {
    openInterestUsd: sum(traded.map(({ openInterestUsd }) => openInterestUsd)),
    volume24hUsd: sum(traded.map(({ volume24hUsd }) => volume24hUsd)),
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
