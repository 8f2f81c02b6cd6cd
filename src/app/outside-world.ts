import type { Config } from '../config/config.ts'
import type { AllUpstreams } from '../config/providers.ts'
import type { Log } from '../core/log.ts'
import { openTogether } from '../core/open-together.ts'
import { type Secret, secret } from '../core/secret.ts'
import type { Clock } from '../core/time/clock.ts'
import { startInternet } from '../sandbox/internet.ts'
import { createSimulatedMarket } from '../sandbox/market/simulated-market.ts'
import { openTrading, type PredictionAccount, type TradingInput } from '../sandbox/open-trading.ts'
import { createPredictionVenue } from '../sandbox/prediction/prediction-venue.ts'
import { openPaymentRails, type PaymentRails } from './payment-rails.ts'

/** Everything outside the process: upstream addresses, oracle credentials, chains and facilitators. */
export type OutsideWorld = {
  /** The sandbox serves more of them than the service calls. */
  upstreams: Config['upstreams'] & Partial<AllUpstreams>
  /** Undefined: the oracle price is derived from Coinbase. */
  oracleKeys: { apiKey: Secret; secret: Secret; passphrase: Secret } | undefined
  money: PaymentRails
  /** Our account at the simulated prediction venue; undefined where the venue is real, or its chain cannot run. */
  prediction: PredictionAccount | undefined
  close(): Promise<void>
}

type Venues = Pick<OutsideWorld, 'upstreams' | 'oracleKeys' | 'close'> & {
  simulated: Pick<TradingInput, 'market' | 'venue' | 'internet'> | undefined
}

/** The real world as configured, or a simulated one on loopback. The rest of the service cannot tell which. */
export async function openOutsideWorld(config: Config, clock: Clock, log: Log): Promise<OutsideWorld> {
  const [venues, money] = await openTogether(openVenues(config, clock), openPaymentRails(config, clock, log))
  const { simulated, upstreams, oracleKeys } = venues
  const closeBoth = async () => {
    await Promise.all([venues.close(), money.close()])
  }
  const open = async () =>
    simulated && money.chain
      ? openTrading({ ...simulated, rpc: money.chain, dataDir: config.dataDir, log })
      : undefined
  const trading = await open().catch(async (error: unknown) => {
    await closeBoth()
    throw error
  })
  const close = async () => {
    // Before the chain that it writes to.
    await trading?.close()
    await closeBoth()
  }
  return { upstreams, oracleKeys, money, prediction: trading?.account, close }
}

async function openVenues(config: Config, clock: Clock): Promise<Venues> {
  const { upstreams, clob } = config
  if (config.mode !== 'sandbox')
    return { upstreams, oracleKeys: clob, simulated: undefined, close: async () => {} }
  const market = createSimulatedMarket({ seed: config.sandboxSeed, startMs: clock.now() })
  const venue = createPredictionVenue({ seed: String(config.sandboxSeed), market })
  const internet = await startInternet({ market, clock, venue, realTime: true })
  const { apiKey, passphrase, secret: key } = internet.credentials
  return {
    upstreams: { ...upstreams, ...internet.urls },
    oracleKeys: { apiKey: secret(apiKey), secret: secret(key), passphrase: secret(passphrase) },
    simulated: { market, venue, internet },
    async close() {
      venue.close()
      await internet.close()
    },
  }
}
