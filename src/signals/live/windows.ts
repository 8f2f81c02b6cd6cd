import { isWindowStart, windowAt } from '../../core/time/window.ts'
import { createOpenWindow, type OpenWindow } from './open-window.ts'

/** The first price within this time after the window's start is its opening price. */
const OPENING_LATE_S = 5

/** The open window, with a substitute for its opening price while the oracle's is unknown. */
export function createWindows() {
  let open: OpenWindow | undefined
  let openedS = 0
  let close = Number.NaN
  return {
    at(atMs: number, usd: number): OpenWindow {
      const window = windowAt(atMs)
      if (open?.window.startS === window.startS) return open
      open = createOpenWindow(window)
      if (atMs / 1000 - window.startS <= OPENING_LATE_S) open.openAt('usd', usd)
      if (openedS === window.startS) open.openAt('usdt', close)
      return open
    },
    minuteClosed(endS: number, price: number) {
      if (!isWindowStart(endS)) return
      openedS = endS
      close = price
      if (open?.window.startS === endS) open.openAt('usdt', price)
    },
  }
}
