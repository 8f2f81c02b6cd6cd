/**
 * `refused`: the venue said no. `restarting`: 425, its matching engine is not there. `disabled`: 503, no trading now.
 * `limited`: 429. `unauthorized`: our key is not taken. `busy`: not sent, because too much is under way.
 * `unknown`: sent, and no answer that says what became of it.
 */
export type TradingFault =
  | 'refused'
  | 'restarting'
  | 'disabled'
  | 'limited'
  | 'unauthorized'
  | 'not_found'
  | 'busy'
  | 'unknown'

/** What went wrong at the venue, in its own words where it has any. Never holds a key. */
export class TradingError extends Error {
  readonly fault: TradingFault
  readonly retryAfterMs: number | undefined

  constructor(fault: TradingFault, message: string, retryAfterMs?: number) {
    super(message)
    this.name = 'TradingError'
    this.fault = fault
    this.retryAfterMs = retryAfterMs
  }
}
