import { decodeFunctionData, type Hex, type RpcLog, toEventSelector, toHex } from 'viem'
import { z } from 'zod'
import { abiOf, EVM_CONTRACTS } from '../chains/evm/contracts.ts'
import type { Rpc } from '../chains/evm/rpc-client.ts'
import type { Custody, CustodyEvent } from './custody.ts'
import type { Trace, VenueContracts } from './custody-contracts.ts'
import { EMITTERS, toCustodyEvents } from './custody-events.ts'

type Past = Pick<Custody, 'settledBy' | 'eventsAfter' | 'hasEvent'>

const SELECTORS = [
  'Split(address,bytes32,uint256)',
  'Merge(address,bytes32,uint256)',
  'Redeem(address,bytes32,uint256,uint256,uint256)',
].map(toEventSelector)

const Quantity = z.string().transform(Number)
const Logs = z.array(z.custom<RpcLog>())
const Transaction = z.object({ input: z.custom<Hex>(), blockNumber: z.string() })
const Block = z.object({ timestamp: Quantity })

export const traceOf = (settlementId: Hex): Trace => ({
  address: EVM_CONTRACTS.Exchange,
  event: 'Settled(bytes32)',
  topic: settlementId,
})

/** What the chain itself remembers, for who missed it. Old blocks are dropped at a start; what they did stays. */
export function readPast({ read, find }: VenueContracts, rpc: Rpc): Past {
  const blockAt = async (block: number) => rpc('eth_getBlockByNumber', toHex(block), false)
  const timeOf = async (hash: Hex) => {
    const { input, blockNumber } = Transaction.parse(await rpc('eth_getTransactionByHash', hash))
    const nowS = findVenueTime(input) ?? Block.parse(await blockAt(Number(blockNumber))).timestamp
    // The end of that second: what it used up was bought before.
    return nowS * 1000 + 999
  }
  const headOf = async () => Quantity.parse(await rpc('eth_blockNumber'))
  return {
    async settledBy(id) {
      if (!(await read({ contract: 'Exchange', name: 'isSettled', args: [id] }))) return undefined
      // Its block may be gone after hundreds of others; then the settlement's own id stands for it.
      return (await find(traceOf(id)))?.hash ?? id
    },
    async eventsAfter(block) {
      const head = await headOf()
      if (block >= head) return { events: [], head }
      const [fromBlock, toBlock] = [toHex(block + 1), toHex(head)]
      const filter = { address: EMITTERS, topics: [SELECTORS], fromBlock, toBlock }
      const events: CustodyEvent[] = []
      for (const logs of byTransaction(Logs.parse(await rpc('eth_getLogs', filter))))
        events.push(...toCustodyEvents(logs, await timeOf(logs[0]?.transactionHash as Hex)))
      return { events, head }
    },
    async hasEvent({ transactionHash, block }) {
      if ((await rpc('eth_getTransactionReceipt', transactionHash)) !== null) return true
      // A block that is behind us and gone was dropped with all that is in it.
      return block <= (await headOf()) && (await blockAt(block)) === null
    },
  }
}

function byTransaction(logs: readonly RpcLog[]): Iterable<readonly RpcLog[]> {
  const groups = new Map<string, RpcLog[]>()
  for (const log of logs)
    groups.set(log.transactionHash ?? '', [...(groups.get(log.transactionHash ?? '') ?? []), log])
  return groups.values()
}

/** Batches are carried out with the time of the venue, which need not be that of the chain. */
function findVenueTime(data: Hex): number | undefined {
  try {
    const { functionName, args } = decodeFunctionData({ abi: abiOf('DepositWalletFactory'), data })
    return functionName === 'execute' ? Number(args?.[2]) : undefined
  } catch {
    return undefined
  }
}
