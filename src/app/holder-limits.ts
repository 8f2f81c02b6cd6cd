import { createProjectToken } from '../access/wallet/project-token.ts'
import { tierOf } from '../account/tiers.ts'
import type { Config } from '../config/config.ts'
import type { Clock } from '../core/time/clock.ts'
import { createJsonRpc } from '../payments/chain/json-rpc.ts'
import { projectTokenOf } from './project-token-of.ts'

const TIMEOUT_MS = 5_000

type Input = { config: Pick<Config, 'mode' | 'projectToken' | 'chains'>; clock: Clock }

/**
 * Calls a day of each wallet by what it holds now, in their order; undefined where the chain does not tell. The chains
 * that a service runs itself are known to that service only.
 */
export async function readHolderLimits(
  { config, clock }: Input,
  wallets: readonly string[],
): Promise<(number | undefined)[]> {
  const address = projectTokenOf(config)
  const [rpcUrl] = config.chains.evmRpcUrls
  if (address === undefined || rpcUrl === undefined) return wallets.map(() => undefined)
  const rpc = createJsonRpc({ rpcUrl, timeoutMs: TIMEOUT_MS })
  const token = createProjectToken({ address, rpc, clock, random: Math.random })
  const limitOf = async (wallet: string) => tierOf(await token.balanceNow(wallet)).callsPerDay
  return Promise.all(wallets.map((wallet) => limitOf(wallet).catch(() => undefined)))
}
