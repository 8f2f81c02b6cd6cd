import type { OracleTick } from '../../feeds/events.ts'
import type { MinuteHistory } from '../history/minute-history.ts'
import type { Forecaster } from '../model/forecaster.ts'
import { type CoinPrices, createCoinPrices } from './coin-prices.ts'
import type { Measure } from './open-window.ts'
import { createWindows } from './windows.ts'

/** When the newest closed minute is older than this, the signal is too old to sell. */
export const MINUTES_STALE_MS = 180_000
const MINUTE_S = 60

/** Undefined while prices, the opening price or fresh minutes are missing. */
export type Measured = { measure: Measure; probabilityUp: number }

/** The open window of one coin, measured anew after every event. */
export type MeasuredWindow = {
  prices: CoinPrices
  /** An event of this time has reached the prices. */
  update(atMs: number): void
  /** Something else than the prices has changed. */
  refresh(): void
  tick(tick: OracleTick): void
  minuteClosed(endMs: number, close: number): void
  read(): Measured | undefined
  /** Of the newest event; 0 before the first. */
  readonly asOfMs: number
  /** Rises with every change. */
  readonly version: number
}

type Ports = { history: MinuteHistory; forecaster: Forecaster }

export function createMeasuredWindow({ history, forecaster }: Ports): MeasuredWindow {
  const prices = createCoinPrices()
  const windows = createWindows()
  let asOfMs = 0
  let version = 0
  let measured: Measured | undefined

  /** Runs after every event: a few dozen operations. */
  const update = (atMs: number) => {
    if (atMs > asOfMs) asOfMs = atMs
    const now = prices.read(asOfMs)
    const open = windows.at(asOfMs, now.usd)
    const elapsedS = asOfMs / 1000 - open.window.startS
    const isFresh = forecaster.isWarm && asOfMs - history.endMs < MINUTES_STALE_MS
    const measure = isFresh ? open.measure(now, elapsedS, forecaster.profile) : undefined
    measured = measure && {
      measure,
      probabilityUp: forecaster.at(elapsedS / MINUTE_S, measure.distance, measure.varianceMin),
    }
    version++
  }
  return {
    prices,
    update,
    refresh() {
      if (asOfMs > 0) update(asOfMs)
    },
    tick(tick) {
      prices.oracle(tick)
      asOfMs = Math.max(asOfMs, tick.atMs)
      windows.at(asOfMs, prices.read(asOfMs).usd).tick(tick)
      update(asOfMs)
    },
    minuteClosed: (endMs, close) => windows.minuteClosed(endMs / 1000, close),
    read: () => measured,
    get asOfMs() {
      return asOfMs
    },
    get version() {
      return version
    },
  }
}
