import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { ProjectTokenFacts } from '../../account/services.ts'
import type { Balance } from '../../account/tiers.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import type { JsonRpc } from '../../payments/chain/json-rpc.ts'
import { decimalsOf, numberOf, textOf } from '../../upstreams/base-chain/return-values.ts'
import { createKeyedSource } from '../../upstreams/keyed-source.ts'
import { createSource } from '../../upstreams/source.ts'

/** The token whose holders sign in. Each throws `upstream_unavailable` where the chain cannot be asked. */
export type ProjectToken = ProjectTokenFacts & {
  /** Read now: it decides about rights. What `balance` tells is at most a minute old. */
  balanceNow(wallet: string): Promise<Balance>
}

type Ports = { address: string; rpc: JsonRpc; clock: Clock; random: () => number }

const ABI = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function name() view returns (string)',
  'function symbol() view returns (string)',
])
/** Served while it is read again, and no longer than the second. */
export const BALANCE_AGES = { softMs: 15 * SECOND_MS, hardMs: 60 * SECOND_MS }
/** Wallets whose balance is kept. */
const KEPT = 2_000

export function createProjectToken({ address, rpc, clock, random }: Ports): ProjectToken {
  const ask = async (data: Hex) => asHex(await rpc.call('eth_call', [{ to: address, data }, 'latest']))
  const askFor = (functionName: 'decimals' | 'totalSupply' | 'name' | 'symbol') =>
    ask(encodeFunctionData({ abi: ABI, functionName }))
  const readChain = async () => {
    const [block, decimals, supply, name, symbol] = await Promise.all([
      rpc.call('eth_blockNumber', []).then(asHex),
      askFor('decimals'),
      askFor('totalSupply'),
      // Not every token has them.
      askFor('name').catch(() => undefined),
      askFor('symbol').catch(() => undefined),
    ])
    return {
      name: textOf(name),
      symbol: textOf(symbol),
      decimals: known(decimalsOf(decimals)),
      totalSupply: known(numberOf(supply)),
      block: Number(known(block)),
    }
  }
  let decimals: number | undefined
  const readBalance = async (wallet: string): Promise<Balance> => {
    decimals ??= known(decimalsOf(await askFor('decimals')))
    const data = encodeFunctionData({ abi: ABI, functionName: 'balanceOf', args: [wallet as Hex] })
    return { units: known(numberOf(await ask(data))), decimals }
  }
  const balances = createKeyedSource({ clock, random, ...BALANCE_AGES, capacity: KEPT, fetch: readBalance })
  const chain = createSource({ clock, random, ...BALANCE_AGES, fetch: readChain })
  return {
    address,
    balanceNow: (wallet) => orUnavailable(() => readBalance(wallet)),
    balance: (wallet) =>
      orUnavailable(async () => {
        const { value, asOfMs } = await balances.read(wallet)
        return { ...value, asOfMs }
      }),
    onChain: () =>
      orUnavailable(async () => {
        const { value, asOfMs } = await chain.read()
        return { ...value, asOfMs }
      }),
  }
}

const asHex = (answer: unknown): Hex | undefined =>
  typeof answer === 'string' && /^0x[0-9a-f]*$/i.test(answer) ? (answer as Hex) : undefined

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the contract of the project token does not answer like a token')
  return value
}

async function orUnavailable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    throw new ServiceError('upstream_unavailable', 'the project token cannot be read from the chain', {
      cause,
    })
  }
}
