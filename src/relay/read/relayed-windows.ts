import { COINS, type Coin, mapCoins } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import { windowAt } from '../../core/time/window.ts'
import {
  bookHealth,
  type FiveMinuteHealth,
  type FiveMinuteMarkets,
  untilOver,
  type WindowMarket,
} from '../../feeds/prediction/five-minute-markets.ts'
import type { HeardValues } from './heard-values.ts'

export type RelayedWindows = FiveMinuteMarkets & {
  /** Undefined while the engine is not heard. */
  health(): FiveMinuteHealth | undefined
}

const NOT_TOLD = 'the engine has not told of it yet'
const NOT_THIS_WINDOW = 'the engine has not told of the window that is open now'

type Ports = { clock: Clock; values: HeardValues; missing(): string | undefined }

export function createRelayedWindows({ clock, values, missing }: Ports): RelayedWindows {
  /** The newest of two windows: the engine's clock may be ahead of ours, and open the next one before. */
  const told = mapCoins((): WindowMarket[] => [])
  values.onChange((name) => {
    const coin = COINS.find((each) => name === `window:${each}`)
    if (coin) told[coin] = keepTwo(told[coin], values.get(`window:${coin}`)?.open, values.version(name))
  })
  const startS = () => windowAt(clock.now()).startS
  const open = (coin: Coin) =>
    missing() === undefined ? told[coin].find(({ market }) => market.window.startS === startS()) : undefined
  const why = (coin: Coin) => {
    const value = values.get(`window:${coin}`)
    if (!value) return NOT_TOLD
    return value.open ? NOT_THIS_WINDOW : value.missing
  }
  return {
    open,
    missing: (coin) => missing() ?? why(coin),
    market(coin, windowStartS) {
      const known = missing() === undefined ? values.get(`known:${coin}`) : undefined
      const found = known?.find(({ window }) => window.startS === windowStartS)
      return found && untilOver(found, clock.now())
    },
    health() {
      const health = missing() === undefined ? values.get('venue') : undefined
      const books = COINS.map((coin) => bookHealth(coin, open(coin)?.asOfMs, clock.now(), why))
      return health && { ...health, books }
    },
  }
}

/** Without a market none is shown, of whichever window: a book in doubt was said to be. */
function keepTwo(
  told: readonly WindowMarket[],
  open: WindowMarket | undefined,
  version: number,
): WindowMarket[] {
  if (!open) return []
  const { startS } = open.market.window
  const before = told.filter(({ market }) => market.window.startS < startS).slice(0, 1)
  return [{ ...open, version }, ...before]
}
