import type { Coin } from '../../../core/coin.ts'
import { isWindowStart, WINDOW_S, type Window } from '../../../core/time/window.ts'
import { UpstreamError } from '../../upstream.ts'
import { parseWire } from '../../wire/reply.ts'
import { type FiveMinuteMarket, slugOf, type TakerFee } from '../five-minute-market.ts'
import { GammaMarket } from './market-wire.ts'
import { GammaEvent } from './wire.ts'

/** What the venue's markets that say no version are. */
const UNSAID_VERSION = 'unknown'

/** The market of a coin's window from its event; throws an `UpstreamError` with the reason for anything in doubt. */
export function parseFiveMinuteMarket(json: unknown, coin: Coin, windowStartS: number): FiveMinuteMarket {
  const name = slugOf(coin, windowStartS)
  const event = parseWire(GammaEvent, json, name)
  if (event.slug !== name) throw refused(name, 'the event of another window')
  if (event.markets.length !== 1) throw refused(name, `${event.markets.length} markets instead of one`)
  const market = parseWire(GammaMarket, event.markets[0], `${name} markets[0]`)
  if (market.slug !== name) throw refused(name, 'the market of another window')
  const required = <T>(value: T | null | undefined, field: string): T => {
    if (value === undefined || value === null) throw refused(name, `${field} is missing`)
    return value
  }
  return {
    coin,
    window: toWindow(market, windowStartS, name),
    slug: name,
    question: market.question,
    conditionId: market.conditionId,
    tokens: toTokens(market, name),
    acceptingOrders: required(market.acceptingOrders, 'acceptingOrders'),
    closed: market.closed,
    tickSize: required(market.orderPriceMinTickSize, 'orderPriceMinTickSize'),
    minOrderSize: required(market.orderMinSize, 'orderMinSize'),
    fee: toFee(market, name),
    negRisk: required(market.negRisk, 'negRisk'),
    resolution: toResolution(market, market.resolutionSource || event.resolutionSource || '', coin),
    outcome: findOutcome(market),
    // 0 is no price of a coin.
    priceToBeat: event.eventMetadata?.priceToBeat || undefined,
    finalPrice: event.eventMetadata?.finalPrice || undefined,
    volumeUsd: market.volumeNum ?? market.volume,
    liquidityUsd: market.liquidityNum ?? market.liquidity,
    version: market.version ?? UNSAID_VERSION,
  }
}

function toWindow({ eventStartTime, endDate }: GammaMarket, startS: number, name: string): Window {
  const endS = startS + WINDOW_S
  if (!isWindowStart(startS)) throw refused(name, 'not the start of a window')
  if (eventStartTime !== startS * 1000) throw refused(name, 'eventStartTime is not the start of the window')
  if (endDate !== endS * 1000) throw refused(name, 'endDate is not the end of the window')
  return { startS, endS }
}

/** By label: the lists are in no order that means anything. */
function toTokens({ outcomes }: GammaMarket, name: string): FiveMinuteMarket['tokens'] {
  const [up, down] = ['Up', 'Down'].map((label) => outcomes.filter((outcome) => outcome.label === label))
  if (outcomes.length !== 2 || up?.length !== 1 || down?.length !== 1)
    throw refused(name, 'the outcomes are not Up and Down')
  const tokens = { up: up[0]?.tokenId, down: down[0]?.tokenId }
  if (tokens.up === undefined || tokens.down === undefined) throw refused(name, 'clobTokenIds is missing')
  if (tokens.up === tokens.down) throw refused(name, 'one token for both outcomes')
  return { up: tokens.up, down: tokens.down }
}

/** `makerBaseFee` and `takerBaseFee` are left over from the first exchange and are not what is charged. */
function toFee({ feesEnabled, feeSchedule }: GammaMarket, name: string): TakerFee | undefined {
  if (feesEnabled === undefined) throw refused(name, 'feesEnabled is missing')
  if (!feesEnabled) return undefined
  const { rate, exponent } = feeSchedule ?? {}
  if (rate === undefined || exponent === undefined)
    throw refused(name, 'fees are charged but feeSchedule does not say which')
  return { rate, exponent }
}

/** Where the configuration of the market and its source contradict each other, it is neither. */
function toResolution(
  { cryptoMarketConfig }: GammaMarket,
  source: string,
  coin: Coin,
): FiveMinuteMarket['resolution'] {
  const stream = `https://data.chain.link/streams/${coin.toLowerCase()}-usd`
  const bySource =
    source === `${stream}-twap-60s-streams` ? 'twap_60s' : source === stream ? 'spot' : ('other' as const)
  if (!cryptoMarketConfig) return { kind: bySource, source }
  const { asset, twapEnabled, twapLookbackSeconds } = cryptoMarketConfig
  const byConfig =
    twapEnabled === false ? 'spot' : twapEnabled && twapLookbackSeconds === 60 ? 'twap_60s' : 'other'
  const isOurs = asset === undefined || asset.toLowerCase() === coin.toLowerCase()
  return { kind: isOurs && byConfig === bySource ? byConfig : 'other', source }
}

/** Told by prices of exactly 1 and 0, once the market is closed and nobody disputes it. */
function findOutcome({ closed, umaResolutionStatus, outcomes }: GammaMarket): FiveMinuteMarket['outcome'] {
  if (!closed || (umaResolutionStatus ?? 'resolved') !== 'resolved') return undefined
  const winner = outcomes.find(({ price }) => price === 1)
  const loser = outcomes.find(({ price }) => price === 0)
  if (!winner || !loser) return undefined
  return winner.label === 'Up' ? 'UP' : 'DOWN'
}

const refused = (name: string, reason: string) => new UpstreamError('malformed', `${name}: ${reason}`)
