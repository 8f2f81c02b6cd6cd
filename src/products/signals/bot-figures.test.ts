import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createMarket } from '../../market/market.ts'
import { lostAt, tradesInARow } from '../../testing/bot/hand-made-trades.ts'
import { resultsOver } from '../../testing/products/hand-made-bot.ts'
import { signalAt, signalsOf } from '../../testing/products/hand-made-signals.ts'
import type { SignalServices } from './services.ts'
import { signals } from './signals.ts'

const FIRST_S = 1_767_614_400
const clock = createManualClock(FIRST_S * 1000 + 1_500)

/** As over the wire: checked by its schema. */
function ask(results?: SignalServices['results']) {
  const services: SignalServices = {
    clock,
    results,
    market: createMarket({ clock }),
    signals: signalsOf((coin) => signalAt(coin, clock.now())),
    sourceOf: (source) => source,
  }
  return signals.response.parse(signals.handle(services, signals.params.parse({})))
}

test.each([
  [29, true],
  [30, false],
])('a win rate over %i trades is real, and says that it means little: %s', async (count, meansLittle) => {
  const results = await resultsOver(clock, tradesInARow(count, 15))
  expect(ask(results)).toMatchObject({
    bot_win_rate: Math.round((15 / count) * 10_000) / 10_000,
    bot_win_rate_means_little: meansLittle,
    bot_resolved_trades: count,
    bot_account: 'paper',
    trades_today: count,
  })
})

test('today is that of the clock, the operator’s trades do not count, and real money leads', async () => {
  const paper = tradesInARow(3, 3)
  const results = await resultsOver(clock, [
    ...paper,
    lostAt(FIRST_S - 86_400),
    lostAt(FIRST_S + 3_000, { origin: 'operator' }),
  ])
  expect(ask(results)).toMatchObject({ bot_win_rate: 0.75, bot_resolved_trades: 4, trades_today: 3 })
  results.add(lostAt(FIRST_S, { broker: 'polymarket' }))
  expect(ask(results)).toMatchObject({ bot_account: 'real', bot_win_rate: 0, bot_resolved_trades: 1 })
})

test('without a bot it is nothing over no trades', () => {
  expect(ask()).toMatchObject({ bot_win_rate: 0, bot_win_rate_means_little: true, bot_resolved_trades: 0 })
})
