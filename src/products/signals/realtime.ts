import { z } from 'zod'
import { paid } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { COINS } from '../../core/coin.ts'
import { usd } from '../../core/money.ts'
import { OneCoin } from './coins.ts'
import { SIGNAL_FRESH_MS, SignalCore, signalChanges, toSignalCore } from './fields.ts'
import { IndicatorBreakdown, toIndicatorBreakdown } from './indicators.ts'
import { onceOpen, signalOf } from './open-signal.ts'
import type { SignalServices } from './services.ts'

export const realtimeSignal = defineEndpoint({
  id: 'signal.realtime',
  method: 'GET',
  path: '/btc/realtime-signal',
  access: paid(usd('0.005')),
  summary: 'Signal of one coin with every indicator explained',
  description:
    'Direction, calibrated probability and regime of the five-minute window that is open now, and for each indicator its value and how traders usually read it. One that is unknown, while the venue it is read from is not reachable or too little is traded, has the value null and a reason. Never older than ten seconds, else 503 and not charged.',
  brings:
    'Up or down for the five minutes that run now, with the value of each indicator and how traders usually read it.',
  params: z.object({ coin: OneCoin.prefault('btc') }),
  sample: { coin: 'btc' },
  title: ({ coin }) => `${coin} signal, every indicator explained`,
  response: z.object({ coin: z.enum(COINS), ...SignalCore.shape, indicators: IndicatorBreakdown }),
  freshForMs: SIGNAL_FRESH_MS,
  changes: (services: SignalServices, { coin }) => signalChanges(services, [coin]),
  handle: (services: SignalServices, { coin }) =>
    onceOpen(services, [coin], () => {
      const signal = signalOf(services, coin)
      return {
        coin: signal.coin,
        ...toSignalCore(services, signal),
        indicators: toIndicatorBreakdown(signal),
      }
    }),
})
