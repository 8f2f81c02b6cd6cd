import { z } from 'zod'
import type { Log } from '../../../core/log.ts'
import type { Usd } from '../../../core/money.ts'
import { type Clock, systemClock } from '../../../core/time/clock.ts'
import { createSerialQueue } from '../../serial-queue.ts'
import { startAnvil } from './anvil.ts'
import { startBlockTicker } from './block-ticker.ts'
import { type Address, abiOf, EVM_CONTRACTS, installContracts } from './contracts.ts'
import type { Rpc } from './rpc-client.ts'

/** A local chain with Base's chain id and USDC at its real address. Its state is kept in the data dir. */
export type EvmChain = {
  rpcUrl: string
  rpc: Rpc
  fundUsdc(address: Address, amount: Usd): Promise<void>
  fundEth(address: Address, wei: bigint): Promise<void>
  fundProjectToken(address: Address, whole: bigint): Promise<void>
  usdcOf(address: Address): Promise<Usd>
  /** Adds empty blocks; a few follow every transaction by themselves. */
  mine(blocks: number): Promise<void>
  pid: number
  close(): Promise<void>
}

export type EvmChainInput = {
  dataDir: string
  log: Log
  /** Times the empty blocks. The chain itself runs on the system's clock. */
  clock?: Clock
  /** An executable other than the installed one. */
  binary?: string
  /** See anvil. */
  port?: number | undefined
}

const PROJECT_TOKEN_UNIT = 10n ** 18n
const FAUCET_WEI = 10n ** 24n
const MAX_WAITING_FUNDINGS = 1_000
const Accounts = z.array(z.string()).min(1)
const Receipt = z.object({ status: z.literal('0x1') })
const Quantity = z.string().transform(BigInt)

/** Throws `ChainUnavailableError` where anvil cannot run. */
export async function startEvmChain({
  dataDir,
  log,
  clock = systemClock,
  binary,
  port,
}: EvmChainInput): Promise<EvmChain> {
  const [anvil, viem] = await Promise.all([startAnvil({ dataDir, log, binary, port }), import('viem')])
  const { rpc } = anvil
  const faucet = await prepare(rpc)
  const stopTicker = startBlockTicker({ rpc, clock, log })
  const queue = createSerialQueue({ maxWaiting: MAX_WAITING_FUNDINGS })
  const mint = (contract: 'TestUsdc' | 'ProjectToken', to: Address, amount: bigint) =>
    queue.run(async () => {
      const data = viem.encodeFunctionData({ abi: abiOf(contract), functionName: 'mint', args: [to, amount] })
      Receipt.parse(await rpc('eth_sendTransactionSync', { from: faucet, to: EVM_CONTRACTS[contract], data }))
    })
  return {
    rpcUrl: anvil.rpcUrl,
    rpc,
    pid: anvil.pid,
    fundUsdc: (address, amount) => mint('TestUsdc', address, amount),
    fundProjectToken: (address, whole) => mint('ProjectToken', address, whole * PROJECT_TOKEN_UNIT),
    async fundEth(address, wei) {
      await rpc('anvil_addBalance', address, viem.toHex(wei))
    },
    async usdcOf(address) {
      const data = viem.encodeFunctionData({
        abi: abiOf('TestUsdc'),
        functionName: 'balanceOf',
        args: [address],
      })
      return Quantity.parse(await rpc('eth_call', { to: EVM_CONTRACTS.TestUsdc, data }, 'latest')) as Usd
    },
    async mine(blocks) {
      await rpc('anvil_mine', viem.toHex(blocks))
    },
    async close() {
      stopTicker()
      await anvil.close()
    },
  }
}

/** Installs the contracts, funds the faucet and mines one block: before the first block, calls see the year 1970. */
async function prepare(rpc: Rpc): Promise<string> {
  const [faucet = ''] = Accounts.parse(await rpc('eth_accounts'))
  await Promise.all([installContracts(rpc), rpc('anvil_setBalance', faucet, `0x${FAUCET_WEI.toString(16)}`)])
  await rpc('anvil_mine', '0x1')
  return faucet
}
