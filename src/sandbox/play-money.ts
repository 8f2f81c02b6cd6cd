import type { FacilitatorClient } from '@x402/core/server'
import type { Log } from '../core/log.ts'
import { openTogether } from '../core/open-together.ts'
import type { Clock } from '../core/time/clock.ts'
import { createInProcessMember, IN_PROCESS } from '../payments/facilitators/members/in-process-member.ts'
import type { FacilitatorMember } from '../payments/facilitators/members/member.ts'
import { ChainUnavailableError } from './chains/evm/anvil-binary.ts'
import { type EvmChain, type EvmChainInput, startEvmChain } from './chains/evm/chain.ts'
import type { Rpc } from './chains/evm/rpc-client.ts'
import { startSvmChain } from './chains/svm/chain.ts'
import { createSandboxFacilitator } from './facilitator/sandbox-facilitator.ts'
import { openFacilitatorKeys, openSandboxKeys } from './keys.ts'
import { createWallets, type Wallets } from './wallets.ts'

export type PlayMoney = {
  payTo: { evm: string | undefined; svm: string }
  rpc: { evm: readonly string[]; svm: readonly string[] }
  /** Full control of the local EVM chain, where it runs. */
  chain: Rpc | undefined
  facilitators: readonly FacilitatorMember[]
  /** The one behind them. */
  facilitator: FacilitatorClient
  wallets: Wallets
  close(): Promise<void>
}

/** Taken where they are free, else others. */
export type ChainPorts = { evm?: number; svm?: number }

/** Local chains, a facilitator and wallets: the real protocols with worthless money. */
export async function openPlayMoney(
  dataDir: string,
  clock: Clock,
  log: Log,
  ports: ChainPorts = {},
): Promise<PlayMoney> {
  const addresses = openSandboxKeys(dataDir)
  const keys = openFacilitatorKeys(dataDir)
  const [evm, svm] = await openTogether(
    startEvmIfPossible({ dataDir, clock, log, port: ports.evm }),
    startSvmChain({ dataDir, clock, payTo: addresses.svm.address, log, port: ports.svm }),
  )
  const facilitator = await createSandboxFacilitator({ evm, svm, keys })
  return {
    payTo: { evm: evm && addresses.evm, svm: addresses.svm.address },
    rpc: { evm: evm ? [evm.rpcUrl] : [], svm: [svm.rpcUrl] },
    chain: evm?.rpc,
    facilitator,
    facilitators: [createInProcessMember(IN_PROCESS, facilitator)],
    wallets: createWallets({ evm, svm }),
    async close() {
      await Promise.all([evm?.close(), svm.close()])
    },
  }
}

/** Without anvil the service still starts; payments are then offered on Solana only, and the log says so. */
async function startEvmIfPossible(input: EvmChainInput): Promise<EvmChain | undefined> {
  try {
    return await startEvmChain(input)
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) throw error
    input.log.warn(
      { reason: error.message },
      'the local EVM chain cannot run: only Solana payments are offered',
    )
    return undefined
  }
}
