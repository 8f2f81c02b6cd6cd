import { WINDOW_S } from '../../core/time/window.ts'
import { isContrarian } from '../round/side.ts'
import { whyNotTradable } from '../round/tradable.ts'
import {
  BOOK_MAX_AGE_MS,
  CLOSES_BEFORE_END_MS,
  MARKET_MAX_AGE_MS,
  MAX_SKEW_MS,
  OPENS_AFTER_MS,
  SIGNAL_MAX_AGE_MS,
} from './bounds.ts'
import { DAY_LIMITS } from './day-limits.ts'
import type { RiskRule } from './risk-rule.ts'

/**
 * Everything that stops a purchase before its price is looked at, in the order in which it is asked. What protects
 * money comes before what the data say.
 */
export const RISK_RULES: readonly RiskRule[] = [
  {
    name: 'disabled',
    stops: 'round',
    why: ({ config }) => unless(config.enabled, 'trading is not enabled'),
  },
  {
    name: 'breaker_open',
    stops: 'all',
    why: ({ breaker }) => unless(!breaker.isOpen, 'the breaker is open: look at its reason, then reset it'),
  },
  {
    name: 'consecutive_losses',
    stops: 'all',
    why: ({ breaker: { consecutiveLosses }, config: { maxConsecutiveLosses } }) =>
      unless(
        consecutiveLosses < maxConsecutiveLosses,
        `${consecutiveLosses} losses in a row, and ${maxConsecutiveLosses} are the most: reset the breaker`,
      ),
  },
  ...DAY_LIMITS,
  {
    name: 'obstacle',
    stops: 'all',
    why: ({ obstacles: [first] }) => first?.text,
  },
  {
    name: 'has_order',
    stops: 'round',
    why: ({ hasOrder }) => unless(!hasOrder, 'this window and coin have an order'),
  },
  {
    name: 'no_market',
    stops: 'all',
    why: ({ market, marketMissing }) => (market ? undefined : marketMissing || 'there is no market'),
  },
  {
    name: 'wrong_window',
    stops: 'all',
    why: ({ market, coin, windowStartS }) =>
      unless(
        market?.market.window.startS === windowStartS && market.market.coin === coin,
        'the market is of another window',
      ),
  },
  {
    name: 'market_closed',
    stops: 'all',
    why: ({ market }) => market && whyNotTradable(market.market),
  },
  {
    name: 'window_time',
    stops: 'all',
    why: ({ atMs, windowStartS }) =>
      unless(
        isWithin(
          atMs,
          windowStartS * 1000 + OPENS_AFTER_MS,
          (windowStartS + WINDOW_S) * 1000 - CLOSES_BEFORE_END_MS,
        ),
        `orders are placed from ${OPENS_AFTER_MS / 1000} s after the start of a window until ${CLOSES_BEFORE_END_MS / 1000} s before its end`,
      ),
  },
  {
    name: 'stale_book',
    stops: 'all',
    why: ({ atMs, market }) => whyStale('the order book', atMs, market?.asOfMs, BOOK_MAX_AGE_MS),
  },
  {
    name: 'stale_market',
    stops: 'all',
    why: ({ atMs, market }) =>
      whyStale("the venue's list of markets", atMs, market?.marketAsOfMs, MARKET_MAX_AGE_MS),
  },
  {
    name: 'clock_skew',
    stops: 'all',
    why: ({ skewMs }) =>
      skewMs === undefined
        ? "the venue's clock cannot be asked"
        : unless(
            isWithin(skewMs, -MAX_SKEW_MS, MAX_SKEW_MS),
            `the venue's clock and ours are ${skewMs} ms apart: set this machine's clock`,
          ),
  },
  {
    name: 'cash_unknown',
    stops: 'all',
    why: ({ cashE6 }) => unless(cashE6 !== undefined, 'the balance cannot be read'),
  },
  // What follows is about the signal, which the operator's own word replaces.
  {
    name: 'no_signal',
    stops: 'round',
    why: ({ bossSignal, signal, signalMissing }) =>
      bossSignal || signal ? undefined : signalMissing || 'there is no signal',
  },
  {
    name: 'wrong_signal',
    stops: 'round',
    why: ({ bossSignal, signal, coin, windowStartS }) =>
      unless(
        bossSignal !== undefined || (signal?.windowStartS === windowStartS && signal.coin === coin),
        'the signal is about another window',
      ),
  },
  {
    name: 'price_kind',
    stops: 'round',
    why: ({ bossSignal, signal, market }) =>
      unless(
        bossSignal !== undefined || signal?.priceKind === market?.market.resolution.kind,
        'the signal is about another price than the market resolves on',
      ),
  },
  {
    name: 'stale_signal',
    stops: 'round',
    why: ({ bossSignal, atMs, signal }) =>
      bossSignal ? undefined : whyStale('the signal', atMs, signal?.asOfMs, SIGNAL_MAX_AGE_MS),
  },
  {
    name: 'abstain',
    stops: 'round',
    why: ({ bossSignal, signal }) =>
      unless(bossSignal !== undefined || signal?.abstain === false, 'the signal abstains'),
  },
  {
    name: 'min_confidence',
    stops: 'round',
    // The contrarian buys where the confidence is low.
    why: ({ bossSignal, signal, config }) =>
      unless(
        bossSignal !== undefined ||
          (signal !== undefined &&
            (isContrarian(signal, config) || signal.confidence >= config.minConfidence)),
        `the confidence is below ${config.minConfidence}`,
      ),
  },
]

const unless = (isGood: boolean, text: string) => (isGood ? undefined : text)

/** False for NaN too. */
const isWithin = (value: number, from: number, to: number) => value >= from && value <= to

function whyStale(
  what: string,
  nowMs: number,
  asOfMs: number | undefined,
  maxAgeMs: number,
): string | undefined {
  const ageMs = asOfMs === undefined ? Number.NaN : nowMs - asOfMs
  return unless(isWithin(ageMs, -MAX_SKEW_MS, maxAgeMs), `${what} is ${ageMs} ms old`)
}
