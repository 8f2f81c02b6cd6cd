import type { Config } from '../config/config.ts'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { type Secret, secret } from '../core/secret.ts'
import { findAuth } from '../payments/facilitators/auth/find-auth.ts'
import { createHttpMember } from '../payments/facilitators/members/http-member.ts'
import type { FacilitatorMember } from '../payments/facilitators/members/member.ts'
import { startInternet } from './internet.ts'
import { openSandboxKeys, type SandboxAddresses } from './keys.ts'
import { createMarket } from './market/simulated-market.ts'
import { openPlayMoney } from './play-money.ts'
import type { Wallets } from './wallets.ts'

/** The world outside the process: addresses to listen to, credentials, chains, facilitators, and where money goes. */
export type Surroundings = {
  upstreams: Config['upstreams']
  oracleKeys: { apiKey: Secret; secret: Secret; passphrase: Secret } | undefined
  money: Money
  close(): Promise<void>
}
export type Money = {
  payTo: { evm: string | undefined; svm: string | undefined }
  rpc: { evm: string | undefined; svm: string | undefined }
  facilitators: readonly FacilitatorMember[]
  /** Hands out play money; undefined where money is real. */
  wallets: Wallets | undefined
  close(): Promise<void>
}

/** The real world as configured, or a small one of our own on loopback. The service cannot tell which. */
export async function openSurroundings(config: Config, clock: Clock, log: Log): Promise<Surroundings> {
  const [venues, money] = await Promise.all([openVenues(config, clock), openMoney(config, clock, log)])
  const close = async () => {
    await Promise.all([venues.close(), money.close()])
  }
  return { ...venues, money, close }
}

async function openVenues(config: Config, clock: Clock): Promise<Omit<Surroundings, 'money'>> {
  const { upstreams, clob } = config
  if (config.mode !== 'sandbox') return { upstreams, oracleKeys: clob, close: async () => {} }
  const market = createMarket({ seed: config.sandboxSeed, startMs: clock.now() })
  const internet = await startInternet({ market, clock, realTime: true })
  const { apiKey, passphrase, secret: key } = internet.credentials
  return {
    upstreams: { ...upstreams, ...internet.urls },
    oracleKeys: { apiKey: secret(apiKey), secret: secret(key), passphrase: secret(passphrase) },
    close: internet.close,
  }
}

/** Real money in live mode; the sandbox and paper mode have chains of their own. */
async function openMoney(config: Config, clock: Clock, log: Log): Promise<Money> {
  const members = config.facilitators.map((url) =>
    createHttpMember({ url, auth: findAuth(url, config.facilitatorKey, clock) }),
  )
  const { mode, chains, dataDir } = config
  const rpc = { evm: chains.evmRpcUrl, svm: chains.svmRpcUrl }
  const away = { rpc, facilitators: members, wallets: undefined, close: async () => {} }
  if (mode === 'live') return { ...away, payTo: config.payTo }
  // Play money on chains that somebody else on this machine runs: the configuration allows loopback only.
  if (rpc.evm || rpc.svm) return { ...away, payTo: offered(openSandboxKeys(dataDir), rpc) }
  const money = await openPlayMoney(dataDir, clock, log)
  return members.length > 0 ? { ...money, facilitators: members } : money
}

function offered({ evm, svm }: SandboxAddresses, rpc: Money['rpc']): Money['payTo'] {
  return { evm: rpc.evm && evm, svm: rpc.svm && svm.address }
}
