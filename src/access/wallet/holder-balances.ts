import type { Balance } from '../../account/tiers.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { createKeyedSource } from '../../upstreams/keyed-source.ts'
import { BALANCE_AGES, type ProjectToken } from './project-token.ts'

/** What a wallet holds, at most a minute old while the chain answers. */
export type HolderBalances = (wallet: string) => Promise<Balance>

type Ports = { clock: Clock; random: () => number; token: Pick<ProjectToken, 'balanceNow'> }

/** While the chain does not answer, the last balance counts for so long. */
const WITHOUT_CHAIN_MS = 5 * MINUTE_MS
/** Of signed-in wallets only, so that nobody else can push them out. */
const KEPT = 5_000

/** One read is under way for a wallet at most, and a call waits for it only where nothing young enough is known. */
export function createHolderBalances({ clock, random, token }: Ports): HolderBalances {
  const kept = createKeyedSource({ clock, random, ...BALANCE_AGES, capacity: KEPT, fetch: token.balanceNow })
  return async (wallet) => {
    try {
      return (await kept.read(wallet)).value
    } catch (cause) {
      const last = kept.last(wallet)
      // Also where the clock was set back.
      if (last && Math.abs(clock.now() - last.asOfMs) < WITHOUT_CHAIN_MS) return last.value
      throw new ServiceError('upstream_unavailable', 'the chain cannot be asked what this wallet holds', {
        cause,
        hint: 'try again after Retry-After, or call without Authorization and pay; nothing was counted',
      })
    }
  }
}
