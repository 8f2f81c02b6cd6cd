import { COINS, type Coin } from '../../core/coin.ts'
import { ServiceError } from '../../core/service-error.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import { waitUntil } from '../../core/time/wait-until.ts'
import { WINDOW_S } from '../../core/time/window.ts'
import type { Signal } from '../../signals/signal.ts'
import type { SignalServices } from './services.ts'

type Seen = Pick<SignalServices, 'signals' | 'clock'>

/** The first signal of a window comes with its first event, in another process a tenth of a second later. */
const FIRST_SIGNAL_WITHIN_MS = 2_000

/** Throws 503 where there is no signal of the window that is open now. */
export function signalOf({ signals, clock }: Seen, coin: Coin): Signal {
  const signal = signals.signal(coin)
  if (!signal)
    throw new ServiceError('upstream_unavailable', `no ${coin} signal: ${signals.missing(coin)}`, {
      hint: `${COINS.filter((other) => signals.signal(other)).join(', ') || 'none'} of the four coins can be asked for now; nothing was charged`,
    })
  if (endMs(signal) > clock.now()) return signal
  throw new ServiceError('upstream_unavailable', `no ${coin} signal: its window has just closed`, {
    hint: 'the next one follows with the first event of the new window; nothing was charged',
    retryAfterS: 1,
  })
}

/** Who asks when a window opens, as many do, gets its first signals a moment later instead of a 503. */
export function onceOpen<Reply>(
  seen: Seen,
  coins: readonly Coin[],
  make: () => Reply,
): Reply | Promise<Reply> {
  const areThere = () => !coins.some((coin) => isAwaited(seen, coin))
  if (areThere()) return make()
  return waitUntil(seen.clock, areThere, FIRST_SIGNAL_WITHIN_MS).then(make)
}

function isAwaited({ signals, clock }: Seen, coin: Coin): boolean {
  const signal = signals.signal(coin)
  if (!signal) return false
  const closedForMs = clock.now() - endMs(signal)
  return closedForMs >= 0 && closedForMs < FIRST_SIGNAL_WITHIN_MS
}

const endMs = ({ windowStartS }: Signal): number => (windowStartS + WINDOW_S) * SECOND_MS
