import type { Coin } from '../../core/coin.ts'
import { windowAt } from '../../core/time/window.ts'
import type { SignalServices } from '../../products/signals/services.ts'
import { type Signal, verdictOf } from '../../signals/signal.ts'

/** A signal of the window that is open at `asOfMs`, with every indicator but one known. */
export function signalAt(coin: Coin, asOfMs: number, probabilityUp = 0.6): Signal {
  return {
    ...verdictOf(probabilityUp, 0.51),
    coin,
    asOfMs,
    windowStartS: windowAt(asOfMs).startS,
    price: 100,
    priceKind: 'twap_60s',
    regime: 'neutral',
    indicators: {
      tickMomentum: 0.1234567,
      bookImbalance: -0.5,
      aggressorRatio: 0.6,
      rsi: 75,
      volumeSpike: undefined,
      rateOfChange: 0.25,
      macd: 0,
      bollinger: -0.1,
    },
    unknownIndicators: { volumeSpike: 'made up' },
    version: 1,
  }
}

type Find = (coin: Coin) => Signal | undefined
export const signalsOf = (signal: Find): SignalServices['signals'] => ({ signal, missing: () => 'made up' })

/** Puts other signals into a running service; the returned function puts its own back. */
export function replaceSignals({ signals: services }: { signals: SignalServices }, signal: Find): () => void {
  const own = services.signals
  services.signals = signalsOf(signal)
  return () => {
    services.signals = own
  }
}
