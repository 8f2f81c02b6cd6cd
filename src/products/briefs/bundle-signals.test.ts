import { expect, test } from 'vitest'
import type { ProductOf } from '../../catalog/endpoints/endpoint.ts'
import type { Coin } from '../../core/coin.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { resultsOver } from '../../testing/products/hand-made-bot.ts'
import { sentimentServices } from '../../testing/products/hand-made-sentiment.ts'
import { signalAt, signalsOf } from '../../testing/products/hand-made-signals.ts'
import { marketSnapshot } from '../signals/market-snapshot.ts'
import { quickBrief } from './quick-brief.ts'
import type { BriefServices } from './services.ts'

const WINDOW_S = 1_767_614_400
/** Twelve seconds before the close. */
const clock = createManualClock((WINDOW_S + 288) * 1000)
const WINDOW = { window_start: WINDOW_S, window_end: WINDOW_S + 300, seconds_remaining: 12 }
const PROBABILITIES: Readonly<Record<Coin, number>> = { BTC: 0.0004, ETH: 0.7, SOL: 0.1, XRP: 0.99 }

async function servicesNow(): Promise<BriefServices> {
  const price = { price: 100, asOfMs: clock.now(), source: 'coinbase_mid', venues: ['coinbase'], version: 1 }
  return {
    ...sentimentServices(clock),
    market: { price: () => price, ticker: () => undefined } as unknown as BriefServices['market'],
    signals: signalsOf((coin) => ({
      ...signalAt(coin, clock.now(), PROBABILITIES[coin]),
      abstain: coin === 'XRP',
    })),
    results: await resultsOver(clock, []),
    list: { last: () => undefined, missing: () => 'made up' } as unknown as BriefServices['list'],
    sourceOf: (source: string) => source,
  } as unknown as BriefServices
}

/** As over the wire: checked by its schema. */
const ask = async (product: ProductOf<BriefServices>) =>
  product.response.parse(await product.handle(await servicesNow(), {}))

test('a brief says of which window its signals are, and puts those that abstain last', async () => {
  const { top_signals } = (await ask(quickBrief)) as { top_signals: { coin: Coin }[] }
  expect(top_signals.map(({ coin }) => coin)).toEqual(['BTC', 'SOL', 'ETH', 'XRP'])
  for (const signal of top_signals) expect(signal).toMatchObject(WINDOW)
})

test('so does the snapshot that the pulse is made of', async () => {
  const { coins } = (await ask(marketSnapshot)) as { coins: unknown[] }
  for (const coin of coins) expect(coin).toMatchObject(WINDOW)
})
