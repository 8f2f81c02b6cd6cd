import { type Coin, listCoins } from '../../core/coin.ts'
import type { Regime } from '../../signals/signal.ts'
import type { GlobalMarket } from '../../upstreams/coingecko/wire.ts'
import type { FearGreed } from './fear-greed.ts'
import type { Extreme } from './scores.ts'

export const LABELS = ['very_bearish', 'bearish', 'neutral', 'bullish', 'very_bullish'] as const
export type Label = (typeof LABELS)[number]

/** Below these a score has the label; from the last on it is very bullish. */
const LABELS_BELOW: readonly [below: number, label: Label][] = [
  [-0.6, 'very_bearish'],
  [-0.2, 'bearish'],
  [0.2, 'neutral'],
  [0.6, 'bullish'],
]

export const labelOf = (score: number): Label =>
  LABELS_BELOW.find(([below]) => score < below)?.[1] ?? 'very_bullish'

/** The regime that most coins are in; of several, that of the coin that comes first. */
export function marketRegime(regimes: readonly Regime[]): Regime | undefined {
  const counts = new Map<Regime, number>()
  for (const regime of regimes) counts.set(regime, (counts.get(regime) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return [...counts].find(([, count]) => count === most)?.[0]
}

export type CoinMood = { coin: Coin; score: number; extremes: readonly Extreme[] }
export type MoodInput = {
  fearGreed: FearGreed
  coins: readonly CoinMood[]
  regime: Regime | undefined
  wholeMarket: GlobalMarket | undefined
}

/** A few sentences, made of the figures alone. */
export function summarize({ fearGreed, coins, regime, wholeMarket }: MoodInput): string {
  return [
    sayFearGreed(fearGreed),
    sayLeanings(coins),
    regime && `The usual regime of the last hour is ${regime.replace('_', ' ')}.`,
    sayCrowds(coins),
    wholeMarket && sayWholeMarket(wholeMarket),
  ]
    .filter((sentence) => sentence !== undefined)
    .join(' ')
}

function sayFearGreed({ value, word, dayAgo }: FearGreed): string {
  const now = `Fear and greed stands at ${value} (${word.toLowerCase()})`
  if (dayAgo === undefined) return `${now}.`
  const change = value - dayAgo
  if (change === 0) return `${now}, as yesterday.`
  return `${now}, ${Math.abs(change)} ${change > 0 ? 'higher' : 'lower'} than yesterday.`
}

function sayLeanings(coins: readonly CoinMood[]): string {
  const groups = new Map<Label, Coin[]>()
  for (const { coin, score } of coins) {
    const label = labelOf(score)
    groups.set(label, [...(groups.get(label) ?? []), coin])
  }
  const said = [...groups].map(([label, members]) => `${listCoins(members)} ${verbOf(label, members.length)}`)
  return `${said.join('; ')}.`
}

function verbOf(label: Label, count: number): string {
  if (label === 'neutral') return count === 1 ? 'is neutral' : 'are neutral'
  return `${count === 1 ? 'leans' : 'lean'} ${label.replace('_', ' ')}`
}

function sayCrowds(coins: readonly CoinMood[]): string | undefined {
  const of = (extreme: Extreme) =>
    coins.flatMap(({ coin, extremes }) => (extremes.includes(extreme) ? [coin] : []))
  const [longs, shorts] = [of('crowded_longs'), of('crowded_shorts')]
  const said = [
    ...(longs.length > 0 ? [`longs of ${listCoins(longs)} are crowded`] : []),
    ...(shorts.length > 0 ? [`shorts of ${listCoins(shorts)} are crowded`] : []),
  ].join(', ')
  return said === '' ? undefined : `By funding, ${said}.`
}

function sayWholeMarket({ dominance, capChange24hPercent }: GlobalMarket): string {
  const share = `BTC is ${dominance.BTC.toFixed(1)} % of the whole market`
  if (capChange24hPercent === undefined) return `${share}.`
  const size = Math.abs(capChange24hPercent).toFixed(1)
  if (size === '0.0') return `${share}, which did not move in a day.`
  return `${share}, which ${capChange24hPercent > 0 ? 'gained' : 'lost'} ${size} % in a day.`
}
