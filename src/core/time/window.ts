export const WINDOW_S = 300
export const WINDOW_MIN = 5
const WINDOW_MS = WINDOW_S * 1000

/** A five-minute window in epoch seconds; `endS` is the first second of the next window. */
export type Window = { startS: number; endS: number }

export function windowAt(nowMs: number): Window {
  const startS = Math.floor(nowMs / WINDOW_MS) * WINDOW_S
  return { startS, endS: startS + WINDOW_S }
}

export function isWindowStart(epochS: number): boolean {
  return Number.isSafeInteger(epochS) && epochS >= 0 && epochS % WINDOW_S === 0
}

/** Whole seconds until the window closes, rounded up: 0 only once it is closed. */
export function secondsRemaining(window: Window, nowMs: number): number {
  return Math.max(0, Math.ceil(window.endS - nowMs / 1000))
}
