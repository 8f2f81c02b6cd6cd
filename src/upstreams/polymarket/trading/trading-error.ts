/**
 * `refused`: the venue said no. `restarting`: 425, its matching engine is not there. `disabled`: 503, no trading now.
 * `limited`: 429. `unauthorized`: our key is not taken. `geoblocked`: no trading from where we are. `busy`: not sent,
 * because too much is under way. `unknown`: sent, and no answer that says what became of it. `malformed`: so is this,
 * because the answer breaks the format, which asking again may not mend.
 */
export type TradingFault =
  | 'refused'
  | 'restarting'
  | 'disabled'
  | 'limited'
  | 'unauthorized'
  | 'geoblocked'
  | 'not_found'
  | 'busy'
  | 'unknown'
  | 'malformed'

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
