import type { Clock } from '../../core/time/clock.ts'
import { createSimulatedMarket } from '../../sandbox/market/simulated-market.ts'
import { createBlockscoutServer } from '../../sandbox/providers/blockscout/blockscout.ts'
import type { ProviderServer } from '../../sandbox/providers/provider-server.ts'
import { createTokenServers } from '../../sandbox/providers/token-servers.ts'
import { createTokenWorld } from '../../sandbox/tokens/create-token-world.ts'
import { createBlockscout } from '../../upstreams/blockscout/client.ts'
import { createScoutHistory } from '../../upstreams/blockscout/history.ts'
import { createBatchedPairs } from '../../upstreams/dexscreener/batched.ts'
import { createDexScreener } from '../../upstreams/dexscreener/client.ts'
import { createGeckoTerminal } from '../../upstreams/geckoterminal/client.ts'
import { createGoPlus } from '../../upstreams/goplus/client.ts'
import { createHoneypot } from '../../upstreams/honeypot/client.ts'
import { type Upstream, UpstreamError } from '../../upstreams/upstream.ts'
import { parseWire } from '../../upstreams/wire/reply.ts'

/** The clients of those who tell of tokens, on the simulated Base, without sockets and limits. */
export function createSimulatedTokens({ seed, atMs, clock }: { seed: string; atMs: number; clock: Clock }) {
  const market = createSimulatedMarket({ seed, startMs: atMs })
  const world = createTokenWorld({ seed, market })
  const servers = createTokenServers(world, market.nowMs)
  const dexScreener = createDexScreener(asking(servers.dexscreener))
  const explorer = asking(createBlockscoutServer(market, world))
  return {
    world,
    sources: {
      dexScreener,
      pairsByToken: createBatchedPairs({ clock, tokensV1: dexScreener.tokensV1 }),
      geckoTerminal: createGeckoTerminal(asking(servers.geckoterminal, '/api/v2')),
      goPlus: createGoPlus(asking(servers.goplus)),
      honeypot: createHoneypot(asking(servers.honeypot)),
    },
    blockscout: createBlockscout(explorer),
    history: createScoutHistory(explorer),
    chain: {
      async metadata(address: string) {
        const token = world.token(address)
        const { name, symbol, decimals, totalSupply } = token ?? {}
        return { name, symbol, decimals, totalSupply }
      },
      balances: async (_: string, tokens: readonly string[]) =>
        tokens.map((address) => (world.token(address) ? 0n : undefined)),
    },
  }
}

/** Asks a simulated provider without a socket. */
export function asking({ rest }: ProviderServer, prefix = ''): Pick<Upstream, 'ask'> {
  return {
    async ask({ path, query = {}, schema }) {
      const params = Object.entries(query).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, String(value)]],
      )
      const reply = await rest({
        method: 'GET',
        path: `${prefix}${path}`,
        query: new URLSearchParams(params),
        headers: {},
        body: '',
      } as unknown as Parameters<typeof rest>[0])
      if (!reply || reply.status === 404) throw new UpstreamError('not_found', `${path} answered 404`)
      if (reply.status !== 200) throw new UpstreamError('refused', `${path} answered ${reply.status}`)
      return parseWire(schema, JSON.parse(String(reply.body)), path)
    },
  }
}
