import { HOUR_MS } from '../../core/time/time.ts'
import { WINDOW_S } from '../../core/time/window.ts'
import { TASKS_MAX } from '../../ledger/ports/operator-book.ts'
import { REPLY_KEPT_MS } from '../../ledger/ports/payment-book.ts'
import { REFUSALS } from '../../payments/gate/refusal.ts'
import { TOLD_S } from '../../products/bot/live/delayed-track.ts'
import { PRICE_S } from '../../products/bot/live/live.ts'

export const REPLY_KEPT_HOURS = REPLY_KEPT_MS / HOUR_MS

/** What scripts must know and other code decides. */
const FACTS = { REFUSALS, REPLY_KEPT_HOURS, WINDOW_S, PRICE_S, DELAYED_S: TOLD_S, TASKS_MAX }

/** A module for browsers, whose types are those of `facts.d.ts`. */
export const factsScript = (): string =>
  Object.entries(FACTS)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}\n`)
    .join('')
