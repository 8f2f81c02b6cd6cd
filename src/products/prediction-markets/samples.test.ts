import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { predictionServices, windowMarketAt } from '../../testing/products/hand-made-prediction.ts'
import { signalAt, signalsOf } from '../../testing/products/hand-made-signals.ts'
import { openWindows } from './open-window.ts'
import { opportunitiesIn } from './opportunities.ts'
import { sampleCoinMarket, sampleOpportunity } from './samples.ts'
import { toCoinMarket } from './to-coin-market.ts'

test('the examples are what the code makes of such a market', () => {
  const clock = createManualClock(sampleCoinMarket.window_start * 1000 + 30_000)
  const services = predictionServices(clock)
  services.signals = signalsOf((coin) => signalAt(coin, clock.now(), 0.6132))
  const market = windowMarketAt('BTC', clock.now(), {
    up: { bids: [[0.54, 120]], asks: [[0.55, 20]] },
    down: { bids: [[0.45, 20]], asks: [[0.46, 120]] },
  })
  services.fiveMinute = { open: () => market, missing: () => '', market: () => undefined }
  const [open] = openWindows(services, ['BTC'])
  const made = open && toCoinMarket(services, open)
  const { edge, buy } = sampleCoinMarket.up
  expect(made).toMatchObject({
    up: { edge, buy, price: sampleCoinMarket.up.price, probability: sampleCoinMarket.up.probability },
    down: { edge: sampleCoinMarket.down.edge, buy: sampleCoinMarket.down.buy, price: 0.455 },
    best_side: sampleCoinMarket.best_side,
    seconds_remaining: sampleCoinMarket.seconds_remaining,
    resolution: sampleCoinMarket.resolution,
  })
  expect(made && Object.keys(made).filter((key) => key !== 'record_reason')).toEqual(
    Object.keys(sampleCoinMarket),
  )
  const { token_id: _, record_id: _id, ...shown } = sampleOpportunity
  expect(made && opportunitiesIn([made])).toMatchObject([shown])
})
