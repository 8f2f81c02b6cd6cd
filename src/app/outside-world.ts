import type { Config } from '../config/config.ts'
import { isPlayMoney } from '../config/variables/variable.ts'
import type { Log } from '../core/log.ts'
import { openTogether } from '../core/open-together.ts'
import { type Secret, secret } from '../core/secret.ts'
import type { Clock } from '../core/time/clock.ts'
import type { FindExchange } from '../intel/whales/transfer.ts'
import { type Internet, startInternet } from '../sandbox/internet.ts'
import { createSimulatedMarket } from '../sandbox/market/simulated-market.ts'
import { openTrading, type PredictionAccount, type TradingInput } from '../sandbox/open-trading.ts'
import { createPredictionVenue } from '../sandbox/prediction/prediction-venue.ts'
import { createTokenWorld } from '../sandbox/tokens/create-token-world.ts'
import { createFindChainWallet } from '../sandbox/tokens/on-chain/chain-wallets.ts'
import { openTokensOnChain } from '../sandbox/tokens/on-chain/tokens-on-chain.ts'
import type { TokenWorld } from '../sandbox/tokens/token-world.ts'
import { findSandboxExchange } from '../sandbox/tokens/wallets/exchange-wallets.ts'
import type { Places } from '../sandbox/world/places.ts'
import { openPaymentRails, type PaymentRails } from './payment-rails.ts'
import { joinSandboxWorld } from './sandbox-world/join-world.ts'

/** Everything outside the process: upstream addresses, oracle credentials, chains and facilitators. */
export type OutsideWorld = {
  upstreams: Config['upstreams']
  /** Undefined: the oracle price is derived from Coinbase. */
  oracleKeys: { apiKey: Secret; secret: Secret; passphrase: Secret } | undefined
  money: PaymentRails
  /** Our account at the simulated prediction venue; undefined where the venue is real, or its chain cannot run. */
  prediction: PredictionAccount | undefined
  /** Exchanges of the simulation, whose wallets have other addresses than the real ones; undefined where they are real. */
  findExchange: FindExchange | undefined
  close(): Promise<void>
}

type Venues = Pick<OutsideWorld, 'upstreams' | 'oracleKeys' | 'close'> & {
  simulated: (Pick<TradingInput, 'market' | 'venue'> & { internet: Internet; tokens: TokenWorld }) | undefined
}

/**
 * The real world as configured, or a simulated one on loopback: its own, or the one that several processes share. The
 * rest of the service cannot tell which.
 */
export async function openOutsideWorld(config: Config, clock: Clock, log: Log): Promise<OutsideWorld> {
  const isShared = config.role !== 'all' && isPlayMoney(config.mode)
  if (isShared) return joinSandboxWorld(config, clock, log)
  return openOwnWorld({ config, clock, log, openMoney: () => openPaymentRails(config, clock, log) })
}

export type OwnWorldInput = {
  config: Config
  clock: Clock
  log: Log
  openMoney: () => Promise<PaymentRails>
  /** Of an earlier run, for what is simulated. */
  places?: Places
}

/** Everything that is simulated runs in this process. */
export async function openOwnWorld(input: OwnWorldInput): Promise<OutsideWorld> {
  const { config, clock, log, places } = input
  const [venues, money] = await openTogether(openVenues(config, clock, places), input.openMoney())
  const { simulated, upstreams, oracleKeys } = venues
  const closeBoth = async () => {
    await Promise.all([venues.close(), money.close()])
  }
  const open = async () => {
    const rpc = money.chain
    if (!simulated || !rpc) return []
    const { market, internet, tokens: world } = simulated
    internet.exploreChain(createFindChainWallet(rpc))
    const account = await openTrading({
      ...{ ...simulated, rpc, log },
      dataDir: config.dataDir,
      relayerKey: places?.relayerKey,
    })
    return [account, openTokensOnChain({ rpc, world, market, clock, log })] as const
  }
  const [trading, tokens] = await open().catch(async (error: unknown) => {
    await closeBoth()
    throw error
  })
  const close = async () => {
    // Before the chain that they write to.
    tokens?.close()
    await trading?.close()
    await closeBoth()
  }
  const findExchange = simulated && findSandboxExchange()
  return { upstreams, oracleKeys, money, prediction: trading?.account, findExchange, close }
}

async function openVenues(config: Config, clock: Clock, places: Places | undefined): Promise<Venues> {
  const { upstreams, clob } = config
  if (config.mode !== 'sandbox')
    return { upstreams, oracleKeys: clob, simulated: undefined, close: async () => {} }
  const market = createSimulatedMarket({ seed: config.sandboxSeed, startMs: clock.now() })
  const venue = createPredictionVenue({ seed: String(config.sandboxSeed), market })
  const tokens = createTokenWorld({ seed: config.sandboxSeed, market })
  const internet = await startInternet({
    ...{ market, clock, venue, tokens, realTime: true },
    port: places?.ports.internet,
    credentials: places?.oracle,
  })
  const { apiKey, passphrase, secret: key } = internet.credentials
  return {
    upstreams: { ...upstreams, ...internet.urls },
    oracleKeys: { apiKey: secret(apiKey), secret: secret(key), passphrase: secret(passphrase) },
    simulated: { market, venue, internet, tokens },
    async close() {
      venue.close()
      await internet.close()
    },
  }
}
