import type { Config } from '../../../config/config.ts'
import { evmNode } from '../../../payments/chain/evm/evm-node.ts'
import { createJsonRpc } from '../../../payments/chain/json-rpc.ts'
import { createBlockscout } from '../../../upstreams/blockscout/client.ts'
import { createDexScreener } from '../../../upstreams/dexscreener/client.ts'
import { createGeckoTerminal } from '../../../upstreams/geckoterminal/client.ts'
import { createGoPlus } from '../../../upstreams/goplus/client.ts'
import { createHoneypot } from '../../../upstreams/honeypot/client.ts'
import { type Check, type Finding, failure, ok, skipped } from '../check.ts'
import { type Host, hostCheck } from '../host-check.ts'
import { findStranger } from '../money/find-stranger.ts'
import { explainKey } from './refused-key.ts'

/** Wrapped ether: whoever tells of tokens on Base knows it. */
const TOKEN = '0x4200000000000000000000000000000000000006'
const WRONG_CHAIN = 'look at its address: it must be the one for Base'

type Settings = Pick<Config, 'upstreams' | 'keys' | 'mode' | 'intelRpcUrl'>
type TokenHost = Omit<Host, 'group'> & {
  upstream: 'DEXSCREENER' | 'GECKOTERMINAL' | 'GOPLUS' | 'HONEYPOT' | 'BLOCKSCOUT'
}

const known = (isKnown: boolean, what: string): Finding =>
  isKnown ? ok(what) : failure('does not know wrapped ether', WRONG_CHAIN)

const hosts = ({ keys }: Settings): readonly TokenHost[] => [
  {
    name: 'dexscreener',
    provider: 'dexscreener',
    upstream: 'DEXSCREENER',
    async look(asker) {
      const { pairs } = await createDexScreener(asker).tokenPairs(TOKEN)
      return known(pairs.length > 0, `lists ${pairs.length} pairs of wrapped ether`)
    },
  },
  {
    name: 'geckoterminal',
    provider: 'geckoterminal',
    upstream: 'GECKOTERMINAL',
    async look(asker) {
      const { pools } = await createGeckoTerminal(asker).trendingPools('24h')
      return pools.length > 0
        ? ok(`lists ${pools.length} trending pools`)
        : failure('lists no pools', WRONG_CHAIN)
    },
  },
  {
    name: 'goplus',
    provider: 'goplus',
    upstream: 'GOPLUS',
    look: async (asker) =>
      known((await createGoPlus(asker).tokenSecurity(TOKEN)) !== undefined, 'tells of a contract'),
  },
  {
    name: 'honeypot',
    provider: 'honeypot',
    upstream: 'HONEYPOT',
    look: async (asker) =>
      known((await createHoneypot(asker).simulate(TOKEN)) !== undefined, 'simulates a trade'),
  },
  {
    name: 'blockscout',
    provider: 'blockscout',
    upstream: 'BLOCKSCOUT',
    headers: keys.blockscout && { authorization: `Bearer ${keys.blockscout.reveal()}` },
    look: async (asker) =>
      known(
        (await createBlockscout(asker).token(TOKEN)) !== undefined,
        `tells of a token, ${keys.blockscout ? 'with our key' : 'without a key'}`,
      ),
    explain: (error) =>
      explainKey(error, {
        hasKey: keys.blockscout !== undefined,
        variable: 'TOLLBOOK_BLOCKSCOUT_KEY',
        get: 'set TOLLBOOK_BLOCKSCOUT_KEY to a key of its PRO API, and TOLLBOOK_UPSTREAM_BLOCKSCOUT_URL to https://api.blockscout.com/8453',
      }),
  },
]

/** Who tells of tokens and wallets. A node that payments are read from, too, is checked as `base-node`. */
export const tokenChecks = (config: Settings, timeoutMs: number): Check[] => [
  ...hosts(config).map((host) => hostCheck({ ...host, group: 'tokens' }, config.upstreams[host.upstream])),
  ...(config.intelRpcUrl === undefined
    ? config.mode === 'paper'
      ? [noNodeCheck]
      : []
    : [nodeCheck(config.intelRpcUrl, timeoutMs)]),
]

const NODE_VARIABLE = 'TOLLBOOK_INTEL_RPC_URL'

function nodeCheck(rpcUrl: string, timeoutMs: number): Check {
  return {
    name: 'token-node',
    group: 'tokens',
    advice: `look whether this machine may connect to ${new URL(rpcUrl).host}, whether the key in the address is good, and at ${NODE_VARIABLE}`,
    async run() {
      const node = createJsonRpc({ rpcUrl, timeoutMs })
      const stranger = await findStranger('Base', evmNode({ isLocal: false }), node)
      if (stranger !== undefined) return failure(stranger, `name a node of Base in ${NODE_VARIABLE}`)
      const code = await node.call('eth_getCode', [TOKEN, 'latest'])
      return known(code !== '0x', 'a node of Base, which knows wrapped ether')
    },
  }
}

const noNodeCheck: Check = {
  name: 'token-node',
  group: 'tokens',
  advice: '',
  run: async () =>
    skipped(
      `paper mode asks no node of Base without ${NODE_VARIABLE}: what only a node tells of tokens and transfers is missing`,
    ),
}
