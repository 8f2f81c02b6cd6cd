import { HOUR_MS, MINUTE_MS } from '../../../core/time/time.ts'
import type { SimulatedMarket } from '../../market/simulated-market.ts'
import type { TokenWorld, WhaleMove } from '../../tokens/token-world.ts'
import type { ProviderServer } from '../provider-server.ts'
import { ok, readOnly } from '../reply.ts'
import { createLiquidationSums } from './liquidations.ts'

const ROWS = 50
const DELAY_MS = 15 * MINUTE_MS
const HISTORY_MS = 12 * HOUR_MS

/** Tells the trades that follow large transfers. Those of BTC at once, others a quarter of an hour late, as without a key. */
export function createCoinLobsterServer(
  market: SimulatedMarket,
  tokens: TokenWorld | undefined,
): ProviderServer {
  const liquidationsAt = createLiquidationSums(market)
  return {
    rest: readOnly((path) => {
      const nowMs = market.nowMs()
      if (path === '/api/public/crypto-whales')
        return ok({ success: true, whales: whalesAt(market, tokens, nowMs) })
      if (path === '/api/public/liquidations') return ok(liquidationsAt(nowMs))
      return undefined
    }),
    socketAt: () => undefined,
    close() {},
  }
}

function whalesAt(market: SimulatedMarket, tokens: TokenWorld | undefined, nowMs: number) {
  return (tokens?.whaleMoves(nowMs - HISTORY_MS, nowMs) ?? [])
    .filter(({ tape, atMs }) => tape && atMs <= nowMs - (tape.coin === 'BTC' ? 0 : DELAY_MS))
    .slice(-ROWS)
    .reverse()
    .flatMap((move) => (move.tape ? [toRow(market, move, move.tape)] : []))
}

/** Their futures: what happens on their spot markets is told by the exchanges themselves. */
const VENUE_NAMES: Readonly<Record<string, string>> = {
  binance: 'Binance Futures',
  coinbase: 'Coinbase International',
}

function toRow(market: SimulatedMarket, { id, atMs }: WhaleMove, tape: NonNullable<WhaleMove['tape']>) {
  const funding = market.perpetual.at(tape.coin, atMs)
  const price = Number(funding.markPrice.toPrecision(7))
  return {
    tradeId: `${atMs}-${id}`,
    pair: `${tape.coin}/USD`,
    exchange: VENUE_NAMES[tape.exchange] ?? tape.exchange,
    price,
    quantity_base: tape.usd / price,
    quantity_quote: tape.usd,
    isBuy: tape.side === 'buy',
    timestamp: atMs,
    exchangeType: 'future',
    _src: 'cex',
    marketConditions: {
      price,
      fundingRates: { 'Binance Futures': funding.rate },
      openInterest: {
        'Binance Futures': { value: funding.openInterest * price, base: funding.openInterest },
      },
    },
  }
}
