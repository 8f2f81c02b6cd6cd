import type { Config } from '../../config/config.ts'
import { silentLog } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { createPolyData, type PolyData } from '../../upstreams/polymarket/data/client.ts'
import { createRelayerClient, type RelayerClient } from '../../upstreams/polymarket/relayer/client.ts'
import { createTrading } from '../../upstreams/polymarket/trading/create-trading.ts'
import type { Trading } from '../../upstreams/polymarket/trading/trading.ts'
import { createPolyWeb, type PolyWeb } from '../../upstreams/polymarket/web/client.ts'
import type { PolyAccount } from '../poly-account.ts'
import { createHosts } from '../upstream-hosts.ts'

/** Everything that knows the operator's account at the venue. */
export type AccountClients = {
  account: PolyAccount
  /** Makes no API key: an account without one is refused. */
  reading: Trading
  /** Makes the API key of an account that has none. */
  trading: Trading
  relayer: RelayerClient
  web: Pick<PolyWeb, 'geoblock'>
  data: Pick<PolyData, 'positions'>
  close(): void
}

type Input = { account: PolyAccount; upstreams: Config['upstreams']; clock: Clock }

/** Nothing is asked before it is needed. */
export function openAccountClients({ account, upstreams, clock }: Input): AccountClients {
  const { owner, wallet: depositWallet, ownerKey, relayerKey: key } = account
  const { CLOB: clobUrl, POLY_DATA, POLY_WEB, RELAYER: baseUrl } = upstreams
  const hosts = createHosts({ clock, log: silentLog })
  const relayer = createRelayerClient({
    upstream: hosts.open('relayer', baseUrl),
    ...{ baseUrl, key, owner, clock },
  })
  const input = { clobUrl, ownerKey, depositWallet, clock }
  return {
    account,
    reading: createTrading({ ...input, makesNoKey: true }),
    trading: createTrading(input),
    relayer,
    web: createPolyWeb(hosts.open('poly_web', POLY_WEB)),
    data: createPolyData(hosts.open('poly_data', POLY_DATA)),
    close() {
      relayer.close()
      hosts.close()
    },
  }
}
