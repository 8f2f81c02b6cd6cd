import type { Upstreams } from '../../config/providers.ts'
import type { Clock } from '../../core/time/clock.ts'
import { createBatchedPairs, type PairsByToken } from '../../upstreams/dexscreener/batched.ts'
import { createDexScreener, type DexScreener } from '../../upstreams/dexscreener/client.ts'
import { createGeckoTerminal, type GeckoTerminal } from '../../upstreams/geckoterminal/client.ts'
import { createGoPlus, type GoPlus } from '../../upstreams/goplus/client.ts'
import { createHoneypot, type Honeypot } from '../../upstreams/honeypot/client.ts'
import type { Hosts } from '../upstream-hosts.ts'

/** Those who tell of tokens. They are asked on demand and end with their hosts. */
export type TokenSources = {
  geckoTerminal: GeckoTerminal
  dexScreener: DexScreener
  /** For single tokens that many ask for at the same time. */
  pairsByToken: PairsByToken
  goPlus: GoPlus
  honeypot: Honeypot
}

type Ports = { hosts: Hosts; upstreams: Upstreams; clock: Clock }

export function openTokenSources({ hosts, upstreams, clock }: Ports): TokenSources {
  const dexScreener = createDexScreener(hosts.open('dexscreener', upstreams.DEXSCREENER))
  return {
    geckoTerminal: createGeckoTerminal(hosts.open('geckoterminal', upstreams.GECKOTERMINAL)),
    dexScreener,
    pairsByToken: createBatchedPairs({ clock, tokensV1: dexScreener.tokensV1 }),
    goPlus: createGoPlus(hosts.open('goplus', upstreams.GOPLUS)),
    honeypot: createHoneypot(hosts.open('honeypot', upstreams.HONEYPOT)),
  }
}
