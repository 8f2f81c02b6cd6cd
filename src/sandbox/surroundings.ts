import type { Config } from '../config/config.ts'
import type { Clock } from '../core/clock.ts'
import { type Secret, secret } from '../core/secret.ts'
import { startInternet } from './internet.ts'
import { openSandboxKeys } from './keys.ts'
import { createMarket } from './market/simulated-market.ts'

/** The world outside the process: addresses to listen to, credentials, and where money goes. */
export type Surroundings = {
  upstreams: Config['upstreams']
  oracleKeys: { apiKey: Secret; secret: Secret; passphrase: Secret } | undefined
  payTo: { evm: string; svm: { address: string; feePayer: string } | undefined }
  close(): Promise<void>
}

/** The real world as configured, or a small one of our own on loopback. The service cannot tell which. */
export async function openSurroundings(config: Config, clock: Clock): Promise<Surroundings> {
  if (config.mode !== 'sandbox') return { ...outside(config), close: async () => {} }
  const market = createMarket({ seed: config.sandboxSeed, startMs: clock.now() })
  const internet = await startInternet({ market, clock, realTime: true })
  const { apiKey, passphrase, secret: key } = internet.credentials
  return {
    upstreams: { ...config.upstreams, ...internet.urls },
    oracleKeys: { apiKey: secret(apiKey), secret: secret(key), passphrase: secret(passphrase) },
    payTo: openSandboxKeys(config.dataDir),
    close: internet.close,
  }
}

/** Paper trades with real data and money of its own making; live pays the configured addresses. */
function outside({ mode, upstreams, clob, payTo, dataDir }: Config): Omit<Surroundings, 'close'> {
  if (mode === 'paper') return { upstreams, oracleKeys: clob, payTo: openSandboxKeys(dataDir) }
  if (!payTo.evm) throw new Error('live mode without TOLLBOOK_PAY_TO_EVM')
  return { upstreams, oracleKeys: clob, payTo: { evm: payTo.evm, svm: undefined } }
}
