import { orNotFound } from '../rules/or-not-found.ts'
import { contractPart } from '../rules/path-parts.ts'
import { type Upstream, UpstreamError } from '../upstream.ts'
import { type Simulation, SimulationReply } from './wire.ts'

const CHAIN_ID = 8453
/** It tries trades on a copy of the chain before it answers. */
const TIMEOUT_MS = 15_000

/** honeypot.is, which tries to buy and to sell a token. */
export type Honeypot = {
  /** Undefined where it finds no pool to try it in. */
  simulate(address: string): Promise<Simulation | undefined>
}

export function createHoneypot({ ask }: Pick<Upstream, 'ask'>): Honeypot {
  return {
    async simulate(address) {
      const part = contractPart(address)
      const query = { address: part, chainID: CHAIN_ID }
      const simulation = await orNotFound(
        ask({ path: '/v2/IsHoneypot', query, schema: SimulationReply, timeoutMs: TIMEOUT_MS }),
      )
      if (!simulation || simulation.address === part) return simulation
      throw new UpstreamError('malformed', 'a reply about another token')
    },
  }
}
