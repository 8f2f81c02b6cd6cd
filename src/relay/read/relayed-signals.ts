import { COINS, type Coin } from '../../core/coin.ts'
import type { SignalEngine } from '../../signals/live/engine.ts'
import type { Signal } from '../../signals/signal.ts'
import type { HeardValues } from './heard-values.ts'

export type RelayedSignals = Pick<SignalEngine, 'signal' | 'missing' | 'onSignal'>

const NOT_TOLD = 'the engine has not told of it yet'

/** `missing` says why the engine is not heard. */
export function createRelayedSignals(values: HeardValues, missing: () => string | undefined): RelayedSignals {
  const shown = new Map<Coin, Signal>()
  let listener: (coin: Coin) => void = () => {}
  values.onChange((name) => {
    const coin = COINS.find((each) => name === `signal:${each}`)
    if (coin) listener(coin)
  })
  return {
    signal(coin) {
      const told = missing() === undefined ? values.get(`signal:${coin}`)?.signal : undefined
      if (!told) return undefined
      // Versions of two engines may be the same for different signals: here they are our own.
      const version = values.version(`signal:${coin}`)
      if (shown.get(coin)?.version !== version) shown.set(coin, { ...told, version })
      return shown.get(coin)
    },
    missing: (coin) => missing() ?? values.get(`signal:${coin}`)?.missing ?? NOT_TOLD,
    onSignal(next) {
      listener = next
    },
  }
}
