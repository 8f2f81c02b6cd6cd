import type { Clock } from '../../../core/time/clock.ts'
import { createAuthorizedRequests } from '../../../upstreams/polymarket/relayer/authorized-request.ts'
import { readDeployed } from '../../../upstreams/polymarket/relayer/relayer-reads.ts'
import { WireTransactions } from '../../../upstreams/polymarket/relayer/wire.ts'
import { askerOf } from '../ask-once.ts'
import { type Check, failure, ok } from '../check.ts'
import { createEndingClock } from '../ending-clock.ts'
import { limitText } from '../limit-text.ts'
import { findLiveAccount, type TradingSettings } from './live-account.ts'

/** That the relayer answers and takes our key, and that the deposit wallet is deployed. */
export function relayerCheck(config: TradingSettings, clock: Clock): Check {
  const { RELAYER } = config.upstreams
  return {
    name: 'relayer',
    group: 'prediction',
    advice: `look whether this machine may connect to ${new URL(RELAYER).host}, and at TOLLBOOK_UPSTREAM_RELAYER_URL: without it nothing that was won becomes money`,
    async run(signal) {
      const live = findLiveAccount(config)
      if ('finding' in live) return live.finding
      const { wallet, relayerKey: key } = live.account
      const isDeployed = await readDeployed(askerOf(RELAYER, signal), wallet)
      if (!isDeployed)
        return failure(
          `the deposit wallet ${wallet} is not deployed`,
          'run ./tollbook account open, which makes it',
        )
      const authorized = createAuthorizedRequests({
        baseUrl: RELAYER,
        key,
        clock: createEndingClock(clock, signal),
      })
      const listed = await authorized.send('GET', '/transactions', WireTransactions)
      if (listed.outcome === 'refused')
        return failure(
          `does not take our key (${listed.reason})`,
          'copy TOLLBOOK_POLY_RELAYER_KEY and TOLLBOOK_POLY_RELAYER_ADDRESS again from polymarket.com',
        )
      if (listed.outcome !== 'answered') throw new Error(listed.reason)
      return ok(`takes our key, the deposit wallet ${wallet} is deployed${limitText('relayer')}`)
    },
  }
}
