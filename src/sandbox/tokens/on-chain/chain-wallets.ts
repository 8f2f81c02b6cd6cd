import { type Address, type Hex, pad, toEventSelector } from 'viem'
import { z } from 'zod'
import { callTogether, type Rpc } from '../../chains/evm/rpc-client.ts'
import { PROJECT_TOKEN, USDC } from '../known-addresses.ts'
import type { SimTransfer, SimWallet } from '../token-world.ts'
import { readNumbers } from './chain-calls.ts'

/** A wallet that the simulation did not make: a buyer's, as the local chain knows it. */
export type ChainWallet = {
  wallet: SimWallet
  /** Newest first. */
  transfers: readonly SimTransfer[]
}

/** Undefined for an address that has nothing and never had. */
export type FindChainWallet = (address: Address, nowMs: number) => Promise<ChainWallet | undefined>

/** What buyers are given and pay with. */
const TOKENS = [USDC, PROJECT_TOKEN] as const
const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
/** The newest ones, of each direction. */
const MAX_TRANSFERS = 50

const Quantity = z.string().regex(/^0x[0-9a-f]+$/)
const Word = z.string().length(66)
const Logs = z.array(
  z.object({
    address: z.string().toLowerCase(),
    topics: z.tuple([Word, Word, Word]),
    data: Quantity,
    blockNumber: Quantity,
    transactionHash: Word,
  }),
)
type Log = z.output<typeof Logs>[number]
const Block = z.object({ timestamp: Quantity })

export function createFindChainWallet(rpc: Rpc): FindChainWallet {
  return async (address, nowMs) => {
    const [[ether, sent], amounts, transfers] = await Promise.all([
      callTogether(rpc, [
        ['eth_getBalance', address, 'latest'],
        ['eth_getTransactionCount', address, 'latest'],
      ]),
      readNumbers(
        rpc,
        TOKENS.map((token) => ({ to: token, name: 'balanceOf', args: [address] })),
      ),
      readTransfers(rpc, address),
    ])
    const wallet: SimWallet = {
      address,
      firstSeenMs: transfers.at(-1)?.atMs ?? nowMs,
      ether: BigInt(Quantity.parse(ether)),
      transactions: Number(Quantity.parse(sent)),
      holdings: TOKENS.map((token, i) => ({ token, amount: amounts[i] ?? 0n })).filter(
        ({ amount }) => amount > 0n,
      ),
      approvals: [],
    }
    const isUsed = wallet.ether > 0n || wallet.transactions > 0 || wallet.holdings.length > 0
    return isUsed || transfers.length > 0 ? { wallet, transfers } : undefined
  }
}

async function readTransfers(rpc: Rpc, address: Address): Promise<readonly SimTransfer[]> {
  const party = pad(address)
  const filter = (topics: readonly (Hex | null)[]) =>
    ['eth_getLogs', { address: TOKENS, fromBlock: '0x0', toBlock: 'latest', topics }] as const
  const found = await callTogether(rpc, [filter([TRANSFER, party]), filter([TRANSFER, null, party])])
  const logs = found.flatMap((rows) => Logs.parse(rows).slice(-MAX_TRANSFERS))
  const blocks = [...new Set(logs.map(({ blockNumber }) => blockNumber))]
  const times = await callTogether(
    rpc,
    blocks.map((block) => ['eth_getBlockByNumber', block, false] as const),
  )
  const timeOf = new Map(blocks.map((block, i) => [block, Number(Block.parse(times[i]).timestamp) * 1_000]))
  return logs.map((log) => toTransfer(log, timeOf.get(log.blockNumber) ?? 0)).sort((a, b) => b.atMs - a.atMs)
}

const toTransfer = ({ address, topics, data, transactionHash }: Log, atMs: number): SimTransfer => ({
  hash: transactionHash as Hex,
  atMs,
  from: `0x${topics[1].slice(-40)}`,
  to: `0x${topics[2].slice(-40)}`,
  token: address as Address,
  amount: BigInt(data),
})
