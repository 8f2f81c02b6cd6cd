// What the live dashboard says, in words: the server writes the page with it, and the page keeps itself up to date with it.

import {
  count,
  dayAndMinuteOf,
  dollars,
  minuteOf,
  NOTHING,
  percent,
  secondOf,
  signed,
  spanOf,
} from '../formats.js'

const MINUTE_S = 60
/** An average of a minute that is older than this is no price of now. */
const STALE_S = 10
const ROWS = 10

const share = (value) => (value === null ? NOTHING : percent(value))
const toneOf = (value) => (value === 0 ? undefined : value > 0 ? 'good' : 'bad')
const arrow = (direction) => (direction === 'UP' ? '▲ UP' : direction === 'DOWN' ? '▼ DOWN' : direction)
const countOf = (number, word) => `${count(number)} ${word}${number === 1 ? '' : 's'}`
const nowOf = ({ timestamp }) => Date.parse(timestamp) / 1000

export const FIGURES = {
  price: {
    title: 'Bitcoin, 60-second average',
    of(shown) {
      const [second, price] = shown.price.at(-1) ?? []
      if (price === undefined) return { text: NOTHING, small: 'no price has been heard yet' }
      const isStale = nowOf(shown) - second > STALE_S
      const small = isStale ? `no price since ${secondOf(second)} UTC` : `at ${secondOf(second)} UTC`
      return { text: dollars(price), small, tone: isStale ? 'warn' : undefined }
    },
  },
  move: {
    title: 'Since the window opened',
    of({ window, price }) {
      const open = window?.open_price_usd
      const [second, last] = price.at(-1) ?? []
      if (!open || last === undefined || second < window.window_start)
        return { text: NOTHING, small: 'the opening price is not known yet' }
      const move = last - open
      const text = `${move >= 0 ? '▲' : '▼'} ${dollars(Math.abs(move))}`
      return { text, small: `opened at ${dollars(open)}`, tone: move >= 0 ? 'up' : 'down' }
    },
  },
  left: {
    title: 'This window closes in',
    of(shown) {
      if (!shown.window) return { text: NOTHING, small: '' }
      const { window_start, window_end } = shown.window
      const left = Math.max(0, Math.ceil(window_end - nowOf(shown)))
      const text = `${Math.floor(left / MINUTE_S)}:${String(left % MINUTE_S).padStart(2, '0')}`
      return { text, small: spanOf(window_start, window_end) }
    },
  },
  profit: {
    title: 'Bot, profit after fees',
    of({ bot }) {
      if (!bot) return UNREAD
      const { total_pnl_usdc, today, account, account_trades } = bot
      const money = account === 'paper' ? 'simulated money' : 'account at the venue'
      const small = `${money}, ${countOf(account_trades, 'trade')}; today ${signed(today.total_pnl_usdc)}`
      return { text: signed(total_pnl_usdc), small, tone: toneOf(total_pnl_usdc) }
    },
  },
  wins: {
    title: 'Bot, trades won',
    of({ bot }) {
      if (!bot) return UNREAD
      const { total_trades, wins, win_rate, win_rate_low, win_rate_high, win_rate_note } = bot
      if (total_trades === 0) return { text: NOTHING, small: win_rate_note ?? '' }
      const interval = `${win_rate} %, 95 % interval ${win_rate_low} to ${win_rate_high} %`
      const small = win_rate_note ? `${interval}; ${win_rate_note}` : interval
      return { text: `${wins} of ${total_trades}`, small }
    },
  },
  breaker: {
    title: 'Bot, trading',
    of({ bot }) {
      if (!bot) return UNREAD
      if (!bot.now) return { text: NOTHING, small: bot.meaning }
      const { open, consecutive_losses } = bot.now.breaker
      const losses = `${consecutive_losses === 1 ? '1 loss' : `${consecutive_losses} losses`} in a row`
      if (open)
        return {
          text: 'Stopped',
          small: `the circuit breaker stopped it: nothing is traded until the operator resets it; ${losses}`,
          tone: 'bad',
        }
      const isAllowed = bot.state === 'running'
      return {
        text: isAllowed ? 'Allowed' : 'Not now',
        small: `${isAllowed ? '' : `${bot.state}: `}${bot.meaning}; ${losses}`,
        ...(!isAllowed && { tone: 'warn' }),
      }
    },
  },
}
const UNREAD = { text: NOTHING, small: 'the ledger cannot be read right now' }

/** The newest, and before it one of every minute, newest first. */
function byMinute(points) {
  const newest = points.at(-1)
  if (!newest) return []
  const whole = points.filter(([second]) => second % MINUTE_S === 0 && second !== newest[0])
  return [newest, ...whole.reverse()]
}

const LATE = 'The first values follow five minutes after the start.'

export const TABLES = {
  price: {
    heads: ['Time (UTC)', 'Price'],
    empty: 'No price has been heard yet.',
    rowsOf: ({ price }) => byMinute(price).map(([second, value]) => [secondOf(second), dollars(value)]),
  },
  odds: {
    heads: ['Time (UTC)', 'Our probability of UP', 'Market price of UP'],
    empty: LATE,
    rowsOf: ({ delayed }) =>
      byMinute(delayed).map(([second, ours, market]) => [secondOf(second), share(ours), share(market)]),
  },
  imbalance: {
    heads: ['Time (UTC)', 'Imbalance'],
    empty: LATE,
    rowsOf: ({ delayed }) =>
      byMinute(delayed).map(([second, , , imbalance]) => [secondOf(second), sideOf(imbalance)]),
  },
  equity: {
    heads: ['Time (UTC)', 'Profit after fees'],
    empty: 'No trade has been resolved yet.',
    rowsOf: ({ equity }) =>
      [...equity]
        .slice(-ROWS)
        .reverse()
        .map(([second, value]) => [dayAndMinuteOf(second), signed(value)]),
  },
  signals: {
    heads: ['Window (UTC)', 'We said', 'Probability', 'It closed', 'Right?'],
    empty:
      'No window has closed since the record began; the first one follows within ten minutes of the start.',
    rowsOf: ({ signals }) =>
      [...(signals ?? [])]
        .reverse()
        .map(({ window_start, direction, confidence, abstain, outcome, hit }) => [
          minuteOf(window_start),
          abstain ? 'no call: a coin flip' : arrow(direction),
          share(confidence),
          arrow(outcome),
          abstain ? NOTHING : hit === null ? 'unknown' : hit ? '✓ yes' : '✗ no',
        ]),
  },
  trades: {
    heads: ['Window (UTC)', 'Coin', 'Bought', 'It closed', 'After fees', 'Fees'],
    empty: 'No trade has been resolved yet. The bot trades only where it sees an edge after fees.',
    rowsOf: ({ bot }) =>
      (bot?.recent_trades ?? []).map(({ window_start, coin, direction, outcome, pnl_usdc, fees_usdc }) => [
        dayAndMinuteOf(window_start),
        coin,
        arrow(direction),
        arrow(outcome),
        signed(pnl_usdc),
        dollars(fees_usdc),
      ]),
  },
}

function sideOf(imbalance) {
  if (imbalance === null) return NOTHING
  const side = imbalance > 0 ? 'more to buy' : imbalance < 0 ? 'more to sell' : 'even'
  return `${imbalance.toFixed(2).replace('-', '−')}, ${side}`
}
