import { COINS, type Coin } from '../../core/coin.ts'
import { type Fact, rounded } from '../../intel/writer/fact.ts'
import type { ClosedSignal, CoinNow, readResults, readTrackRecord } from './previews.ts'

const PREVIEWS = 'free_previews'
const fact = (id: string, says: string, value: Fact['value'], more: Partial<Fact> = {}): Fact => ({
  id,
  says,
  value,
  source: PREVIEWS,
  ...more,
})
/** Cents only where there are some. */
const usd = (value: number) =>
  value.toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: Number.isInteger(value) ? 0 : 2,
    maximumFractionDigits: 8,
  })
const percent = (share: number) => rounded(share * 100)

/** Prices are said in three digits: the exact ones are sold, and texts live longer. */
export function marketFacts(now: readonly CoinNow[], asked: readonly Coin[]): Fact[] {
  const wanted = asked.length > 0 ? asked : COINS
  return now
    .filter(({ coin }) => wanted.includes(coin))
    .flatMap(({ coin, priceUsd, changePercent }) => {
      const [price, change] = [rounded(priceUsd), rounded(changePercent)]
      const moved = change === 0 ? 'did not move' : `is ${change > 0 ? 'up' : 'down'} ${Math.abs(change)}%`
      return [
        fact(`price.${coin}`, `${coin} trades at about ${usd(price)}.`, price, { unit: 'usd' }),
        fact(`change.${coin}`, `${coin} ${moved} over 24 hours.`, change, {
          unit: 'percent',
          isChange: true,
        }),
      ]
    })
}

/** Of the last closed window only: what is said about the open one is what is sold. */
export function signalFacts(closed: readonly ClosedSignal[], asked: readonly Coin[]): Fact[] {
  const wanted = asked.length > 0 ? asked : COINS
  return closed
    .filter(({ coin }) => wanted.includes(coin))
    .map(({ coin, direction, abstain, outcome }) => {
      const end = outcome === 'unknown' ? 'how it closed is not known' : `it closed ${outcome}`
      const said = abstain ? `the signal abstained for ${coin}` : `the signal for ${coin} was ${direction}`
      return fact(`closed.${coin}`, `In the last closed five-minute window ${said}, and ${end}.`, direction)
    })
}

type TrackRecord = Awaited<ReturnType<typeof readTrackRecord>>

export function recordFacts(record: TrackRecord): Fact[] {
  const { called, hits, hit_rate, hit_rate_low, hit_rate_high, hit_rate_means_little } = record
  if (hit_rate === null) return [fact('called', 'No prediction of the public record has closed yet.', 0)]
  const [rate, low, high] = [percent(hit_rate), percent(hit_rate_low), percent(hit_rate_high)]
  return [
    fact('called', `The public record holds ${called.toLocaleString('en-US')} closed predictions.`, called, {
      unit: 'count',
    }),
    fact('hits', `Of these ${hits.toLocaleString('en-US')} were right.`, hits, { unit: 'count' }),
    fact('hit_rate', `That is a hit rate of ${rate}%.`, rate, { unit: 'percent' }),
    fact('low', `Its 95% interval is ${low}% to ${high}%.`, low, { unit: 'percent' }),
    fact('high', `The interval ends at ${high}%.`, high, { unit: 'percent' }),
    fact('interval', 'Intervals hold at 95%.', 95, { unit: 'percent' }),
    ...(hit_rate_means_little
      ? [fact('little', 'So few predictions cannot be told from luck.', true)]
      : low <= 50 && high >= 50
        ? [fact('coin_flip', 'So far that is indistinguishable from a coin flip.', true)]
        : []),
  ]
}

type Results = Awaited<ReturnType<typeof readResults>>

export function resultFacts(results: Results): Fact[] {
  const { account, total_trades, win_rate, win_rate_low, win_rate_high, bot_pnl_usdc, fees_usdc } = results
  const money = account === 'paper' ? 'on paper, with simulated money' : 'with its account at the venue'
  if (total_trades === 0)
    return [fact('trades', `The bot trades ${money}; no trade of it has been resolved yet.`, 0)]
  const [pnl, fees] = [rounded(bot_pnl_usdc), rounded(fees_usdc)]
  const earned = pnl < 0 ? 'lost' : 'earned'
  return [
    fact(
      'trades',
      `The bot has ${total_trades.toLocaleString('en-US')} resolved trades ${money}.`,
      total_trades,
      {
        unit: 'count',
      },
    ),
    fact('win_rate', `It won ${rounded(win_rate)}% of them.`, rounded(win_rate), { unit: 'percent' }),
    fact(
      'win_low',
      `The 95% interval of that is ${rounded(win_rate_low)}% to ${rounded(win_rate_high)}%.`,
      rounded(win_rate_low),
      {
        unit: 'percent',
      },
    ),
    fact('win_high', `The interval ends at ${rounded(win_rate_high)}%.`, rounded(win_rate_high), {
      unit: 'percent',
    }),
    fact('interval', 'Intervals hold at 95%.', 95, { unit: 'percent' }),
    fact('pnl', `After fees it ${earned} ${usd(Math.abs(pnl))}.`, pnl, { unit: 'usd', isChange: true }),
    fact('fees', `Fees came to ${usd(fees)}.`, fees, { unit: 'usd' }),
  ]
}
