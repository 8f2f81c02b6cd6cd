import { countText } from '../../core/count-text.ts'
import type { CoinMinutes, OwnHistory } from './own-history.ts'

/** What there is to learn from, coin by coin: candles that were read at a start are no minutes that were watched. */
export function historyText({
  days,
  minutes,
  counts,
}: Pick<OwnHistory, 'days' | 'minutes' | 'counts'>): string {
  const listed = (count: (of: CoinMinutes) => number) =>
    minutes.map((each) => `${each.coin} ${count(each)}`).join(', ')
  return [
    `history: ${countText(days, 'day')} of which at least half was watched`,
    `minutes watched: ${listed(({ watched }) => watched)}`,
    `candles alone, read at a start or after a gap: ${listed(({ candlesAlone }) => candlesAlone)}`,
    `skipped: ${counts.damaged} damaged, ${counts.repeated} repeated`,
  ].join('; ')
}
