import { notAHolder } from '../../account/not-a-holder.ts'
import { tierOf } from '../../account/tiers.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { untilMidnightS } from '../../core/time/until-midnight.ts'
import type { Holders } from '../../payments/gate/gate.ts'
import type { CallCounts } from '../call-counts.ts'
import type { HolderBalances } from './holder-balances.ts'
import type { Tokens } from './tokens.ts'

/** Keys of the counts of wallets among those of clients; no address of a client looks like it. */
const keyOf = (wallet: string) => `holder ${wallet}`
const EVERY_HOLDER = keyOf('*')

/** Wallets with calls in the counts of a day, most calls first, and the calls of all of them. */
export function holderCallsOf(used: ReadonlyMap<string, number>): {
  wallets: { wallet: string; calls: number }[]
  total: number
} {
  const wallets = [...used]
    .filter(([key, calls]) => key.startsWith(keyOf('')) && key !== EVERY_HOLDER && calls > 0)
    .map(([key, calls]) => ({ wallet: key.slice(keyOf('').length), calls }))
    .sort((a, b) => b.calls - a.calls)
  return { wallets, total: used.get(EVERY_HOLDER) ?? 0 }
}

type Ports = {
  clock: Clock
  tokens: Pick<Tokens, 'check'>
  counts: CallCounts
  balanceOf: HolderBalances
  /** Over all holders: the same project tokens can be sent from wallet to wallet, and open an allowance in each. */
  totalPerDay: number
}

/** Calls that a wallet may make without paying, by its tier. The count belongs to the wallet, not to one of its tokens. */
export function createHolders({ clock, tokens, counts, balanceOf, totalPerDay }: Ports): Holders {
  return {
    async identify(token) {
      const { wallet, tier } = await tokens.check(token)
      // The lower of both: who sold has nothing any more, who bought more signs in again.
      const limit = Math.min(tier.callsPerDay, tierOf(await balanceOf(wallet)).callsPerDay)
      if (limit === 0) throw notAHolder(wallet)
      return {
        wallet,
        limit,
        async take() {
          const { call, used } = await counts.take([
            [keyOf(wallet), limit],
            [EVERY_HOLDER, totalPerDay],
          ])
          const remaining = Math.max(0, limit - (used[0] ?? 0))
          if (call) return { ...call, remaining }
          if (remaining === 0) return undefined
          throw allUsed(totalPerDay, clock.now())
        },
      }
    },
  }
}

function allUsed(totalPerDay: number, nowMs: number): ServiceError {
  const retryAfterS = untilMidnightS(nowMs)
  return new ServiceError('rate_limited', `all holders together have used today's ${totalPerDay} calls`, {
    hint: 'wait for midnight UTC (Retry-After), or call without Authorization: a payment still buys',
    retryAfterS,
  })
}
