import { decodeFunctionResult, encodeFunctionData, type Hex, type RpcLog, toEventSelector } from 'viem'
import { z } from 'zod'
import { type Address, abiOf, type ContractName, EVM_CONTRACTS } from '../chains/evm/contracts.ts'
import type { Rpc } from '../chains/evm/rpc-client.ts'
import { createSerialQueue } from '../serial-queue.ts'
import { CustodyRefused } from './custody.ts'

export type ContractCall = {
  contract: ContractName
  name: string
  args: readonly unknown[]
  /** Where it is not at the contract's own address: a deposit wallet. */
  at?: Address
}

/** The event that a transaction leaves on the chain. By it a transaction whose reply was lost is found. */
export type Trace = { address: Address; event: string; topic: Hex }

export type Sent = { hash: Hex; logs: readonly RpcLog[] }

export type VenueContracts = {
  read(call: ContractCall): Promise<unknown>
  /** One at a time. Throws `CustodyRefused` with the contract's reason; any other error says that the chain does not answer. */
  send(call: ContractCall, trace?: Trace): Promise<Sent>
  /** The transaction that left a trace, where the chain still has its block. */
  find(trace: Trace): Promise<Sent | undefined>
  codeAt(address: Address): Promise<Hex>
}

/** As in `solidity/Venue.sol`. */
const OPERATOR = '0x7011b00c000000000000000000000000000000Cc'
const OPERATOR_WEI = 10n ** 30n
const MAX_WAITING = 1_000
/** Of a transaction with a trace. A second one is refused by the contract, so it may be sent again. */
const MAX_ATTEMPTS = 3

const Bytes = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value))
const Receipt = z.object({
  status: z.enum(['0x1', '0x0']),
  transactionHash: Bytes,
  logs: z.array(z.custom<RpcLog>()),
})
const FoundLogs = z.array(z.looseObject({ transactionHash: Bytes }))

/** The contracts of the prediction venue as its operator calls them. */
export async function openVenueContracts(rpc: Rpc): Promise<VenueContracts> {
  await rpc('anvil_impersonateAccount', OPERATOR)
  await rpc('anvil_setBalance', OPERATOR, `0x${OPERATOR_WEI.toString(16)}`)
  const queue = createSerialQueue({ maxWaiting: MAX_WAITING })
  const receiptOf = async (hash: Hex) => toSent(await rpc('eth_getTransactionReceipt', hash))
  const sendOnce = async (call: ContractCall) =>
    toSent(await rpc('eth_sendTransactionSync', { from: OPERATOR, ...toMessage(call) }))
  const find = async ({ address, event, topic }: Trace) => {
    const filter = { address, topics: [toEventSelector(event), topic], fromBlock: 'earliest' }
    const [log] = FoundLogs.parse(await rpc('eth_getLogs', filter))
    return log && receiptOf(log.transactionHash)
  }
  const sendUntilKnown = async (call: ContractCall, trace: Trace) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await sendOnce(call)
      } catch (error) {
        const found = await find(trace).catch(() => undefined)
        if (found) return found
        if (error instanceof CustodyRefused || attempt >= MAX_ATTEMPTS) throw error
      }
    }
  }
  return {
    async read(call) {
      const message = toMessage(call)
      const data = Bytes.parse(await rpc('eth_call', message, 'latest').catch(rethrow))
      return decodeFunctionResult({ abi: abiOf(call.contract), functionName: call.name, data })
    },
    send: (call, trace) =>
      queue.run(async () => {
        // Tried first: a transaction that fails has a status and no reason.
        await rpc('eth_call', { from: OPERATOR, ...toMessage(call) }, 'latest').catch(rethrow)
        return trace ? sendUntilKnown(call, trace) : sendOnce(call)
      }),
    find,
    codeAt: async (address) => Bytes.parse(await rpc('eth_getCode', address, 'latest')),
  }
}

function toMessage({ contract, name, args, at = EVM_CONTRACTS[contract] }: ContractCall) {
  return { to: at, data: encodeFunctionData({ abi: abiOf(contract), functionName: name, args }) }
}

function toSent(receipt: unknown): Sent {
  const { status, transactionHash, logs } = Receipt.parse(receipt)
  if (status === '0x0') throw new CustodyRefused(`transaction ${transactionHash} failed`)
  return { hash: transactionHash, logs }
}

const REVERTED = /execution reverted(?:: )?/

function rethrow(error: unknown): never {
  if (!(error instanceof Error && REVERTED.test(error.message))) throw error
  throw new CustodyRefused(error.message.split(REVERTED).at(-1) || 'refused without a reason', {
    cause: error,
  })
}
