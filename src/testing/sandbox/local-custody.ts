import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Hex, keccak256, toHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { silentLog } from '../../core/log.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { ChainUnavailableError } from '../../sandbox/chains/evm/anvil-binary.ts'
import { type EvmChain, startEvmChain } from '../../sandbox/chains/evm/chain.ts'
import { createChainCustody } from '../../sandbox/prediction/custody-on-chain.ts'
import { batchTypedData, type WalletCall } from '../../upstreams/polymarket/relayer/deposit-wallet.ts'
import { approvalCalls } from '../../upstreams/polymarket/relayer/wallet-calls.ts'

export const VENUE_START_MS = Date.UTC(2026, 0, 5, 12)

export type LocalCustody = Awaited<ReturnType<typeof openCustody>>

/** The venue's contracts on a local chain of their own, on a clock that stands; undefined where anvil cannot run. */
export async function openLocalCustody(): Promise<LocalCustody | undefined> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollbook-custody-'))
  try {
    return await openCustody(dataDir)
  } catch (error) {
    rmSync(dataDir, { recursive: true, force: true })
    if (error instanceof ChainUnavailableError) return undefined
    throw error
  }
}

async function openCustody(dataDir: string) {
  const clock = createManualClock(VENUE_START_MS)
  const start = () => startEvmChain({ dataDir, log: silentLog })
  let chain: EvmChain = await start()
  let custody = await createChainCustody({ rpc: chain.rpc, clock })
  const execute = async (owner: PrivateKeyAccount, calls: readonly WalletCall[]) => {
    const wallet = custody.walletOf(owner.address)
    const deadline = BigInt(clock.now() / 1000 + 300)
    const batch = { wallet, nonce: await custody.nonceOf(wallet), deadline, calls }
    const signature = await owner.signTypedData(batchTypedData(batch))
    return custody.execute({ ...batch, signature })
  }
  return {
    clock,
    get chain() {
      return chain
    },
    get custody() {
      return custody
    },
    execute,
    /** A new owner with a deposit wallet, money in it and the approvals that trading needs. */
    async trader(amount = 0n) {
      const owner = privateKeyToAccount(generatePrivateKey())
      const wallet = custody.walletOf(owner.address)
      await custody.deploy(owner.address)
      if (amount > 0n) await custody.mint(wallet, amount)
      await execute(owner, approvalCalls())
      return { owner, wallet }
    },
    async restart() {
      await chain.close()
      chain = await start()
      custody = await createChainCustody({ rpc: chain.rpc, clock })
    },
    async close() {
      await chain.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A market of its own for each name. */
export function marketNamed(name: string): { conditionId: Hex; tokenIds: readonly [bigint, bigint] } {
  const tokenOf = (outcome: string) => BigInt(keccak256(toHex(`${name} ${outcome}`)))
  return { conditionId: keccak256(toHex(name)), tokenIds: [tokenOf('up'), tokenOf('down')] }
}
