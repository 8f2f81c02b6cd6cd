import { ServiceError } from '../../core/service-error.ts'
import type { PublicBot, ToldStatus } from '../../products/bot/public-bot.ts'
import type { HeardValues } from './heard-values.ts'

/** What only the engine knows of the bot; `createPublicBot` reads the rest from the ledger. Throws 503 while it is not heard. */
export type RelayedBot = { status(): ToldStatus } & Pick<PublicBot, 'wallet'>

export function createRelayedBot(values: HeardValues, missing: () => string | undefined): RelayedBot {
  const lacks = (why: string) => new ServiceError('upstream_unavailable', `the bot: ${why}`)
  const told = () => {
    const why = missing()
    if (why !== undefined) throw lacks(why)
    const value = values.get('bot')
    if (!value) throw lacks('the engine has not told of it yet')
    return value
  }
  return {
    status: () => told().status,
    async wallet() {
      const { wallet } = told()
      if (wallet) return wallet
      throw lacks('its account is being compared with the ledger')
    },
  }
}
