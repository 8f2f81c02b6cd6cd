import type { Config } from '../config/config.ts'
import type { Log } from '../core/log.ts'
import { openTogether } from '../core/open-together.ts'
import { type Secret, secret } from '../core/secret.ts'
import type { Clock } from '../core/time/clock.ts'
import { startInternet } from '../sandbox/internet.ts'
import { createSimulatedMarket } from '../sandbox/market/simulated-market.ts'
import { createPredictionVenue } from '../sandbox/prediction/prediction-venue.ts'
import { openPaymentRails, type PaymentRails } from './payment-rails.ts'

/** Everything outside the process: upstream addresses, oracle credentials, chains and facilitators. */
export type OutsideWorld = {
  upstreams: Config['upstreams']
  /** Undefined: the oracle price is derived from Coinbase. */
  oracleKeys: { apiKey: Secret; secret: Secret; passphrase: Secret } | undefined
  money: PaymentRails
  close(): Promise<void>
}

/** The real world as configured, or a simulated one on loopback. The rest of the service cannot tell which. */
export async function openOutsideWorld(config: Config, clock: Clock, log: Log): Promise<OutsideWorld> {
  const [venues, money] = await openTogether(openVenues(config, clock), openPaymentRails(config, clock, log))
  const close = async () => {
    await Promise.all([venues.close(), money.close()])
  }
  return { ...venues, money, close }
}

async function openVenues(config: Config, clock: Clock): Promise<Omit<OutsideWorld, 'money'>> {
  const { upstreams, clob } = config
  if (config.mode !== 'sandbox') return { upstreams, oracleKeys: clob, close: async () => {} }
  const market = createSimulatedMarket({ seed: config.sandboxSeed, startMs: clock.now() })
  const venue = createPredictionVenue({ seed: String(config.sandboxSeed), market })
  const internet = await startInternet({ market, clock, venue, realTime: true })
  const { apiKey, passphrase, secret: key } = internet.credentials
  return {
    upstreams: { ...upstreams, ...internet.urls },
    oracleKeys: { apiKey: secret(apiKey), secret: secret(key), passphrase: secret(passphrase) },
    async close() {
      venue.close()
      await internet.close()
    },
  }
}
