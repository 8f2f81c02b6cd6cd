import { address as toAddress } from '@solana/kit'
import { toEventSelector } from 'viem'
import { z } from 'zod'
import { systemClock } from '../../src/core/time/clock.ts'
import { EVM_CONTRACTS } from '../../src/sandbox/chains/evm/contracts.ts'
import { createRpc } from '../../src/sandbox/chains/evm/rpc-client.ts'
import { findUsdcAccount } from '../../src/sandbox/chains/svm/usdc-account.ts'
import type { Nodes } from '../audit/chain-evidence.ts'
import type { PayTo } from '../buying/terms.ts'

/** When money was first seen on a chain, by transaction; at most `LOOK_EVERY_MS` after it moved. */
export type ChargeWatch = { chargedAtMs: ReadonlyMap<string, number>; stop(): Promise<void> }

const LOOK_EVERY_MS = 200
/** More than are paid on Solana between two looks. */
const NEWEST = 50
const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
const WORD_CHARS = 64
const Logs = z.array(z.object({ transactionHash: z.string(), blockNumber: z.string() }))
const Listed = z.array(z.object({ signature: z.string(), err: z.unknown() }))

/** Looks at the chains themselves: no facilitator or process of ours has a say. */
export async function watchCharges({ evm, svm }: Nodes, payTo: PayTo): Promise<ChargeWatch> {
  const chargedAtMs = new Map<string, number>()
  const [onEvm, onSvm] = [createRpc(evm), createRpc(svm)]
  const account = await findUsdcAccount(toAddress(payTo.svm))
  const to = `0x${payTo.evm.slice(2).toLowerCase().padStart(WORD_CHARS, '0')}`
  let fromBlock = 0
  const note = (transaction: string, nowMs: number) => {
    if (!chargedAtMs.has(transaction)) chargedAtMs.set(transaction, nowMs)
  }
  const look = async () => {
    const filter = {
      fromBlock: `0x${fromBlock.toString(16)}`,
      toBlock: 'latest',
      topics: [TRANSFER, null, to],
    }
    const logs = Logs.parse(await onEvm('eth_getLogs', { ...filter, address: EVM_CONTRACTS.TestUsdc }))
    const listed = Listed.parse(await onSvm('getSignaturesForAddress', account, { limit: NEWEST }))
    const nowMs = Date.now()
    for (const { transactionHash, blockNumber } of logs) {
      note(transactionHash, nowMs)
      // Not the next: another payment may come into the same block.
      fromBlock = Math.max(fromBlock, Number(blockNumber))
    }
    for (const { signature, err } of listed) if (err === null) note(signature, nowMs)
  }
  let looking: Promise<void> | undefined
  const stop = systemClock.every(LOOK_EVERY_MS, () => {
    looking ??= look()
      .catch(() => undefined)
      .finally(() => {
        looking = undefined
      })
  })
  return {
    chargedAtMs,
    async stop() {
      stop()
      await looking
    },
  }
}
