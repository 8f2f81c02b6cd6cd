import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '../../src/core/log.ts'
import { systemClock } from '../../src/core/time/clock.ts'
import { type EvmChain, startEvmChain } from '../../src/sandbox/chains/evm/chain.ts'
import { type SvmChain, startSvmChain } from '../../src/sandbox/chains/svm/chain.ts'
import { createSandboxFacilitator } from '../../src/sandbox/facilitator/sandbox-facilitator.ts'
import { serveFacilitator } from '../../src/sandbox/facilitator/serve-facilitator.ts'
import { openFacilitatorKeys } from '../../src/sandbox/keys.ts'
import { createSeeded } from '../../src/testing/seeded.ts'
import { createFaults, type Faults } from './faults.ts'
import { createNodeFaults, type NodeFaults } from './node-faults.ts'
import { startNodeProxy } from './node-proxy.ts'

/** Everything that outlives the service: two chains and two facilitators, each with keys of its own. */
export type TortureWorld = {
  dir: string
  evm: EvmChain
  svm: SvmChain
  facilitatorUrls: readonly string[]
  faults: Faults
  /** Of the nodes as the service reaches them: two ways to Base, one to Solana. */
  nodeUrls: { evm: readonly string[]; svm: readonly string[] }
  nodeFaults: NodeFaults
  /** When a facilitator saw money move, by transaction. */
  chargedAtMs: ReadonlyMap<string, number>
  close(): Promise<void>
}

const FACILITATORS = 2
const PROXY_SEEDS = 500
/** As on Base: an authorization dies by the time of the newest block, so blocks must go on without payments. */
const BLOCK_EVERY_MS = 2_000

export async function startTortureWorld(seed: number): Promise<TortureWorld> {
  const dir = mkdtempSync(join(tmpdir(), 'tollbook-torture-'))
  const dataDir = join(dir, 'world')
  const clock = systemClock
  const [evm, svm] = await Promise.all([
    startEvmChain({ dataDir, clock, log: silentLog }),
    startSvmChain({ dataDir, clock }),
  ])
  const faults = createFaults()
  const nodeFaults = createNodeFaults()
  const chargedAtMs = new Map<string, number>()
  const proxyTo = (target: string, index: number) =>
    startNodeProxy(target, nodeFaults, createSeeded(seed + PROXY_SEEDS + index))
  const nodes = await Promise.all([evm.rpcUrl, evm.rpcUrl, svm.rpcUrl].map(proxyTo))
  const [first, second, solana] = nodes.map(({ url }) => url)
  const servers = await Promise.all(
    Array.from({ length: FACILITATORS }, async (_, index) => {
      const keys = openFacilitatorKeys(join(dir, `facilitator-${index}`))
      const facilitator = await createSandboxFacilitator({ evm, svm, keys })
      return serveFacilitator(timed(facilitator, chargedAtMs), {
        tamper: faults.tamperFor(createSeeded(seed + index)),
        clock,
      })
    }),
  )
  const stopBlocks = clock.every(BLOCK_EVERY_MS, () => void evm.mine(1).catch(() => undefined))
  return {
    dir,
    evm,
    svm,
    facilitatorUrls: servers.map(({ url }) => url),
    faults,
    nodeUrls: { evm: [first ?? '', second ?? ''], svm: [solana ?? ''] },
    nodeFaults,
    chargedAtMs,
    async close() {
      stopBlocks()
      await Promise.all([...servers, ...nodes].map((server) => server.close()))
      await Promise.all([evm.close(), svm.close()])
    },
  }
}

type Facilitator = Parameters<typeof serveFacilitator>[0]

/** Notes when it had moved money, whatever its caller hears of it. */
function timed(facilitator: Facilitator, chargedAtMs: Map<string, number>): Facilitator {
  return {
    verify: (...payment) => facilitator.verify(...payment),
    getSupported: () => facilitator.getSupported(),
    async settle(...payment) {
      const reply = await facilitator.settle(...payment)
      if (reply.success && !chargedAtMs.has(reply.transaction)) chargedAtMs.set(reply.transaction, Date.now())
      return reply
    },
  }
}
