import { decodeFunctionResult, encodeFunctionData, type Hex, toHex } from 'viem'
import { z } from 'zod'
import { type Address, abiOf, type ContractName, EVM_CONTRACTS } from '../../chains/evm/contracts.ts'
import type { Rpc } from '../../chains/evm/rpc-client.ts'

export type TokenCall = { to: Address; name: string; args: readonly unknown[]; contract?: ContractName }

const Receipt = z.object({ status: z.literal('0x1') })
const Bytes = z.string().regex(/^0x[0-9a-f]*$/)
/** Below what a block of the local chain holds; given, so that no time is spent on an estimate. */
const GAS_LIMIT = '0x1b00000'
/** What a small transaction may cost, and one as large as a block. */
const GAS_WEI = 2_000_000_000_000_000n
const BLOCK_WEI = 100n * GAS_WEI

const encode = ({ name, args, contract = 'SimulatedToken' }: TokenCall) =>
  encodeFunctionData({ abi: abiOf(contract), functionName: name, args })

const aggregate = (calls: readonly TokenCall[]) => ({
  to: EVM_CONTRACTS.Aggregate,
  data: encodeFunctionData({
    abi: abiOf('Aggregate'),
    functionName: 'aggregate3',
    args: [calls.map((call) => ({ target: call.to, allowFailure: false, callData: encode(call) }))],
  }),
})

/** As if the owner of the address had signed it. Rejects where the transaction fails. */
export const sendAs = (rpc: Rpc, from: string, call: TokenCall): Promise<void> =>
  transactAs(rpc, from, GAS_WEI, { to: call.to, data: encode(call) })

/** Several in one transaction. */
export const sendTogetherAs = (rpc: Rpc, from: string, calls: readonly TokenCall[]): Promise<void> =>
  transactAs(rpc, from, BLOCK_WEI, { gas: GAS_LIMIT, ...aggregate(calls) })

type Message = { to: Address; data: Hex; gas?: string }

async function transactAs(rpc: Rpc, from: string, wei: bigint, message: Message): Promise<void> {
  const before = await rpc('eth_getBalance', from, 'latest')
  await rpc('anvil_addBalance', from, toHex(wei))
  await rpc('anvil_impersonateAccount', from)
  try {
    Receipt.parse(await rpc('eth_sendTransactionSync', { from, ...message }))
  } finally {
    await rpc('anvil_stopImpersonatingAccount', from)
    // Who moves tokens gets neither richer nor poorer by it.
    await rpc('anvil_setBalance', from, before)
  }
}

/** What numbers the calls return, in their order; 0 where there is no contract. */
export async function readNumbers(rpc: Rpc, calls: readonly TokenCall[]): Promise<readonly bigint[]> {
  if (calls.length === 0) return []
  const data = Bytes.parse(await rpc('eth_call', { gas: GAS_LIMIT, ...aggregate(calls) }, 'latest')) as Hex
  const results = decodeFunctionResult({ abi: abiOf('Aggregate'), functionName: 'aggregate3', data })
  return (results as readonly { returnData: Hex }[]).map(({ returnData }) =>
    returnData === '0x' ? 0n : BigInt(returnData),
  )
}
