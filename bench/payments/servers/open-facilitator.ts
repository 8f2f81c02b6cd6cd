import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FacilitatorClient } from '@x402/core/server'
import { openChains } from '../../../src/app/chains.ts'
import type { Log } from '../../../src/core/log.ts'
import { usd } from '../../../src/core/money.ts'
import { systemClock } from '../../../src/core/time/clock.ts'
import type { Chain } from '../../../src/payments/gate/ports.ts'
import { startEvmChain } from '../../../src/sandbox/chains/evm/chain.ts'
import { createSandboxFacilitator } from '../../../src/sandbox/facilitator/sandbox-facilitator.ts'
import { openFacilitatorKeys, openSandboxKeys } from '../../../src/sandbox/keys.ts'
import type { ServerJob } from '../job.ts'
import { payerAddresses } from '../payers.ts'
import { createInstantFacilitator } from './instant-facilitator.ts'
import { timeFacilitator } from './timed-facilitator.ts'

/** Ours asks `referee` about a settlement; the others do not check it. */
type Opened = { client: FacilitatorClient; referee: Chain; chainPid: number | undefined }
/** How the benchmark asks a server about its facilitator, and what to end should the server be killed. */
export type Control = { url: string; chainPid: number | undefined }

const PAYER_FUNDS = usd('1000')

/** The one the job names, in this process and timed. A chain goes with the process. */
export async function openFacilitator(job: ServerJob, log: Log): Promise<Opened> {
  const opened = job.facilitator === 'anvil' ? await openAnvil(job, log) : openInstant(job)
  const { client, take } = timeFacilitator(opened.client)
  const control = createServer((_, response) => void response.end(JSON.stringify(take())))
  await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(control.address() as AddressInfo).port}/`
  writeFileSync(job.controlFile, JSON.stringify({ url, chainPid: opened.chainPid } satisfies Control))
  return { ...opened, client }
}

function openInstant({ dir }: ServerJob): Opened {
  return { ...createInstantFacilitator(openSandboxKeys(dir).svm.feePayer), chainPid: undefined }
}

async function openAnvil({ dir }: ServerJob, log: Log): Promise<Opened> {
  const evm = await startEvmChain({ dataDir: dir, log })
  process.once('SIGTERM', () => void evm.close().finally(() => process.exit(0)))
  for (const address of payerAddresses) await evm.fundUsdc(address, PAYER_FUNDS)
  const client = await createSandboxFacilitator({ evm, svm: undefined, keys: openFacilitatorKeys(dir) })
  const { referee } = openChains({
    clock: systemClock,
    config: { mode: 'sandbox', chains: { evmConfirmations: [], svmFinalizedFrom: undefined } },
    rpc: { evm: [evm.rpcUrl], svm: [] },
  })
  return { client, referee, chainPid: evm.pid }
}
