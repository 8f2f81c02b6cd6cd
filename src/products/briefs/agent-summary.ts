import type { z } from 'zod'
import type { BriefCoin } from './brief-coin.ts'
import type { HotMarket } from './hot-markets.ts'
import type { Macro } from './macro-part.ts'
import type { Mood } from './mood-part.ts'
import type { WhaleBrief } from './whale-part.ts'

/** A model's context is dear: the summary is shorter than this. */
export const SUMMARY_CHARS = 1_200

export type SummaryInput = {
  atMs: number
  isSimulated: boolean
  coins: readonly z.input<typeof BriefCoin>[]
  mood: z.input<typeof Mood> | undefined
  whales: z.input<typeof WhaleBrief> | undefined
  macro: z.input<typeof Macro> | undefined
  markets: readonly z.input<typeof HotMarket>[] | undefined
  /** Names of the parts that are aged. */
  aged?: readonly string[]
}

/**
 * A text block for a model, made of our own words and of figures alone. Nothing that others wrote stands in it, so
 * nobody can put instructions there: prediction markets are counted, not quoted.
 */
export function writeSummary(input: SummaryInput): string {
  const lines = [
    `Market pulse ${new Date(input.atMs).toISOString().slice(0, 16)}Z${input.isSimulated ? ' (simulated data)' : ''}`,
    ...input.coins.map(sayCoin),
    input.mood && sayMood(input.mood),
    input.macro && sayMacro(input.macro),
    input.whales && sayWhales(input.whales),
    input.markets && sayMarkets(input.markets),
    input.aged?.length ? `Aged: ${input.aged.join(', ')}; parts says why` : undefined,
    sayMissing(input),
    sayWindow(input.coins),
  ]
  return keepWholeLines(lines.filter((line) => line !== undefined))
}

/** Whole lines only; the last one always stays. */
function keepWholeLines(lines: readonly string[]): string {
  const [last = '', ...before] = lines.toReversed()
  let text = ''
  for (const line of before.toReversed()) {
    if (text.length + line.length + last.length + 2 >= SUMMARY_CHARS) break
    text += `${line}\n`
  }
  return text + last
}

function sayCoin(coin: z.input<typeof BriefCoin>): string {
  const day = coin.change_24h_percent === null ? '' : `, ${signed(coin.change_24h_percent)} % in 24 h`
  const call = coin.abstain ? 'no clear direction' : coin.direction
  return `${coin.coin} ${money(coin.price_usd)} USD${day}; until ${minuteOf(coin.window_end)}: ${call}, P(up) ${probability(coin.probability_up)}, ${coin.regime.replace('_', ' ')}`
}

/** Near the end of its window a signal is sure, and of no use for what comes after. */
function sayWindow(coins: SummaryInput['coins']): string {
  const next = coins.toSorted((a, b) => a.seconds_remaining - b.seconds_remaining)[0]
  const until = next ? ` closing ${minuteOf(next.window_end)} (${next.seconds_remaining} s left)` : ''
  return `Signals are probabilities for the window${until}, not for the five minutes after it; not advice.`
}

function sayMood({ mood, score, fear_greed, coins }: z.input<typeof Mood>): string {
  const { value, word } = fear_greed
  const index = value === null ? '' : `, fear and greed ${value} (${word?.toLowerCase()})`
  const each = coins.map(({ coin, score: own }) => `${coin} ${signed(own)}`).join(', ')
  return `Mood: ${mood.replace('_', ' ')} (${signed(score)} of -1..1)${index}; ${each}`
}

function sayMacro({ btc_dominance_percent, coins }: z.input<typeof Macro>): string {
  const share = btc_dominance_percent === null ? [] : [`BTC dominance ${btc_dominance_percent.toFixed(1)} %`]
  const each = coins.flatMap(({ coin, funding_rate_8h_percent, cascade_risk }) =>
    funding_rate_8h_percent === null
      ? []
      : `${coin} funding ${signed(funding_rate_8h_percent, 4)} %/8h${cascade_risk === null ? '' : ` cascade risk ${Math.round(cascade_risk.score)}/100`}`,
  )
  return `Macro: ${[...share, ...each].join('; ')}`
}

function sayWhales({ net_usd, trades, net_flow }: z.input<typeof WhaleBrief>): string {
  const leaning = net_flow.flatMap(({ coin, lean }) => (lean && lean !== 'balanced' ? `${coin} ${lean}` : []))
  const words = leaning.length === 0 ? 'no clear lean' : leaning.join(', ')
  return `Whales, last hour: ${trades} large trades, net ${signed(net_usd / 1e6)} M USD, ${words}`
}

function sayMarkets(markets: readonly z.input<typeof HotMarket>[]): string {
  const volume = markets.reduce((sum, { volume_24h_usd }) => sum + (volume_24h_usd ?? 0), 0)
  return `Prediction markets: ${markets.length} most traded have ${(volume / 1e6).toFixed(1)} M USD in 24 h; see hot_markets`
}

function sayMissing({ mood, whales, macro, markets }: SummaryInput): string | undefined {
  const missing = Object.entries({ mood, whales, macro, 'prediction markets': markets }).flatMap(
    ([name, part]) => (part === undefined ? name : []),
  )
  return missing.length === 0 ? undefined : `Not known right now: ${missing.join(', ')}`
}

const signed = (value: number, digits = 2) => `${value >= 0 ? '+' : ''}${value.toFixed(digits)}`
const money = (value: number) => (value >= 100 ? value.toFixed(2) : value.toPrecision(6))
const minuteOf = (epochS: number) => `${new Date(epochS * 1000).toISOString().slice(11, 16)}Z`

/** Nothing is certain before the window has closed, so rounding must not say so. */
function probability(value: number): string {
  if (value < 0.01) return '<0.01'
  return value > 0.99 ? '>0.99' : value.toFixed(2)
}
