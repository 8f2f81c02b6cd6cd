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

/** Everything that outlives the service: two chains and two facilitators, each with keys of its own. */
export type TortureWorld = {
  dir: string
  evm: EvmChain
  svm: SvmChain
  facilitatorUrls: readonly string[]
  faults: Faults
  close(): Promise<void>
}

const FACILITATORS = 2
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
  const servers = await Promise.all(
    Array.from({ length: FACILITATORS }, async (_, index) => {
      const keys = openFacilitatorKeys(join(dir, `facilitator-${index}`))
      const facilitator = await createSandboxFacilitator({ evm, svm, keys })
      return serveFacilitator(facilitator, { tamper: faults.tamperFor(createSeeded(seed + index)), clock })
    }),
  )
  const stopBlocks = clock.every(BLOCK_EVERY_MS, () => void evm.mine(1).catch(() => undefined))
  return {
    dir,
    evm,
    svm,
    facilitatorUrls: servers.map(({ url }) => url),
    faults,
    async close() {
      stopBlocks()
      await Promise.all(servers.map((server) => server.close()))
      await Promise.all([evm.close(), svm.close()])
    },
  }
}
