import { type Address, encodeFunctionData, type Hex, parseAbi, toEventSelector } from 'viem'
import { z } from 'zod'
import { walletPart } from '../rules/path-parts.ts'
import { parseWire } from '../wire/reply.ts'
import { type ContractRead, createContractReads } from './contract-reads.ts'
import { type ChainLog, quantity, readLogs, toQuantity } from './log-ranges.ts'
import { createPacedNode, type PacedNodeInput } from './paced-node.ts'
import { decimalsOf, MAX_TEXT_REPLY_BYTES, NUMBER_BYTES, numberOf, textOf } from './return-values.ts'
import { readUsed } from './used-addresses.ts'

/** What a token says of itself; undefined where it does not, or nothing that can be read. */
export type TokenMetadata = {
  name: string | undefined
  symbol: string | undefined
  decimals: number | undefined
  totalSupply: bigint | undefined
}

type Logged = { token: Address; blockNumber: number; logIndex: number; transactionHash: Hex }
export type ChainTransfer = Logged & { from: Address; to: Address; amount: bigint }
export type ChainApproval = Logged & { owner: Address; spender: Address; amount: bigint }

/** Oldest first. The oldest are missing where that is more than is read: those here begin at `fromBlock`. */
export type Ranged<T> = { rows: readonly T[]; fromBlock: number }

/** Base, read from a node. Every call is paced and bounded in time and rejects with an `UpstreamError` only. */
export type BaseChain = {
  blockNumber(): Promise<number>
  block(number: number): Promise<{ number: number; atMs: number }>
  /** `0x` for an address without code. */
  codeOf(address: string): Promise<Hex>
  metadata(token: string): Promise<TokenMetadata>
  /** In the order of the tokens; undefined for what is no token. */
  balances(wallet: string, tokens: readonly string[]): Promise<readonly (bigint | undefined)[]>
  allowances(
    wallet: string,
    given: readonly { token: string; spender: string }[],
  ): Promise<readonly (bigint | undefined)[]>
  ether(wallet: string): Promise<bigint>
  /** Which of at most `MAX_ADDRESSES_TOGETHER` have ether or code, in their order. */
  haveEtherOrCode(addresses: readonly string[]): Promise<readonly boolean[]>
  /** How many transactions it has sent. */
  nonce(wallet: string): Promise<number>
  /** Of all tokens, up to the newest block. */
  approvalEvents(wallet: string, fromBlock: number): Promise<Ranged<ChainApproval>>
  transfers(token: string, fromBlock: number, toBlock: number): Promise<Ranged<ChainTransfer>>
  close(): void
}

const ERC20 = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address owner) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
])
const FACTS = (['name', 'symbol', 'decimals', 'totalSupply'] as const).map((functionName) =>
  encodeFunctionData({ abi: ERC20, functionName }),
)
const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
const APPROVAL = toEventSelector('Approval(address,address,uint256)')
const WORD_CHARS = 2 + 64

const Code = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2})*$/)
  .transform((text) => text as Hex)
const Wei = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform(BigInt)
const Block = z
  .object({ number: quantity(), timestamp: quantity() })
  .transform(({ number, timestamp }) => ({ number, atMs: timestamp * 1_000 }))

export function createBaseChain(input: PacedNodeInput): BaseChain {
  const node = createPacedNode(input)
  const reads = createContractReads(node)
  const readNumbers = async (calls: readonly ContractRead[]) =>
    (await reads(calls, NUMBER_BYTES)).map(numberOf)
  const ask = async <Wire extends z.ZodType>(schema: Wire, method: string, ...params: readonly unknown[]) =>
    parseWire(schema, await node.call(method, params), method)
  const blockNumber = () => ask(quantity(), 'eth_blockNumber')
  return {
    blockNumber,
    block: (number) => ask(Block, 'eth_getBlockByNumber', toQuantity(number), false),
    codeOf: async (address) => ask(Code, 'eth_getCode', addressPart(address), 'latest'),
    async metadata(token) {
      const to = addressPart(token)
      const [name, symbol, decimals, supply] = await reads(
        FACTS.map((data) => ({ to, data })),
        MAX_TEXT_REPLY_BYTES,
      )
      return {
        name: textOf(name),
        symbol: textOf(symbol),
        decimals: decimalsOf(decimals),
        totalSupply: numberOf(supply),
      }
    },
    async balances(wallet, tokens) {
      const args = [addressPart(wallet)] as const
      const data = encodeFunctionData({ abi: ERC20, functionName: 'balanceOf', args })
      return readNumbers(tokens.map((token) => ({ to: addressPart(token), data })))
    },
    async allowances(wallet, given) {
      const owner = addressPart(wallet)
      const calls = given.map(({ token, spender }) => ({
        to: addressPart(token),
        data: encodeFunctionData({
          abi: ERC20,
          functionName: 'allowance',
          args: [owner, addressPart(spender)],
        }),
      }))
      return readNumbers(calls)
    },
    ether: async (wallet) => ask(Wei, 'eth_getBalance', addressPart(wallet), 'latest'),
    haveEtherOrCode: async (addresses) => readUsed(node, addresses.map(addressPart)),
    nonce: async (wallet) => ask(quantity(), 'eth_getTransactionCount', addressPart(wallet), 'latest'),
    async approvalEvents(wallet, fromBlock) {
      const topics = [APPROVAL, toTopic(addressPart(wallet))]
      const found = await readLogs(node, { topics, fromBlock, toBlock: await blockNumber() })
      const rows = found.logs.flatMap((log) => {
        const parties = partiesOf(log)
        return parties
          ? [{ ...parties.logged, owner: parties.a, spender: parties.b, amount: parties.amount }]
          : []
      })
      return { rows, fromBlock: found.fromBlock }
    },
    async transfers(token, fromBlock, toBlock) {
      const found = await readLogs(node, {
        address: addressPart(token),
        topics: [TRANSFER],
        fromBlock,
        toBlock,
      })
      const rows = found.logs.flatMap((log) => {
        const parties = partiesOf(log)
        return parties ? [{ ...parties.logged, from: parties.a, to: parties.b, amount: parties.amount }] : []
      })
      return { rows, fromBlock: found.fromBlock }
    },
    close: node.close,
  }
}

const addressPart = (address: string) => walletPart(address) as Address
const toTopic = (address: Address): Hex => `0x${address.slice(2).padStart(64, '0')}`
const ofTopic = (topic: Hex): Address => `0x${topic.slice(-40)}`

/** Undefined for the events of other standards, which have the same name: an NFT's id stands among the topics. */
function partiesOf({ topics, data, address, ...at }: ChainLog) {
  const [, a, b] = topics
  if (topics.length !== 3 || a === undefined || b === undefined || data.length !== WORD_CHARS)
    return undefined
  const { blockNumber, logIndex, transactionHash } = at
  const logged = { token: address as Address, blockNumber, logIndex, transactionHash }
  return { logged, a: ofTopic(a), b: ofTopic(b), amount: BigInt(data) }
}
