/** log(USDT price / USD price), smoothed. `asOfMs` is the time of the older of the two mids it was last updated with. */
export type Basis = { log: number; bps: number; asOfMs: number }

/** Real USDT/USD basis moves by about half a basis point a minute; two minutes smooth quote noise. */
export const BASIS_TIME_CONSTANT_MS = 120_000
/** Mids further apart in time than this are not compared. */
const BASIS_MAX_SKEW_MS = 2_000
/** A real basis stays within some 50 bps; beyond 5 % one of the two mids is wrong. */
const BASIS_MAX_LOG = 0.05

export type BasisTracker = {
  observe(usdtMid: number, usdtAtMs: number, usdMid: number, usdAtMs: number): void
  read(): Basis | undefined
  /** As another process has it. */
  restore(basis: Pick<Basis, 'log' | 'asOfMs'> | undefined): void
}

export function createBasisTracker(): BasisTracker {
  let log: number | undefined
  let asOfMs = 0
  return {
    observe(usdtMid, usdtAtMs, usdMid, usdAtMs) {
      const atMs = Math.min(usdtAtMs, usdAtMs)
      if (Math.abs(usdtAtMs - usdAtMs) > BASIS_MAX_SKEW_MS || (log !== undefined && atMs <= asOfMs)) return
      const seen = Math.log(usdtMid / usdMid)
      if (!(Math.abs(seen) <= BASIS_MAX_LOG)) return
      const weight = log === undefined ? 1 : 1 - Math.exp(-(atMs - asOfMs) / BASIS_TIME_CONSTANT_MS)
      log = log === undefined ? seen : log + weight * (seen - log)
      asOfMs = atMs
    },
    restore(basis) {
      log = basis?.log
      asOfMs = basis?.asOfMs ?? 0
    },
    read: () => (log === undefined ? undefined : { log, bps: log * 10_000, asOfMs }),
  }
}
