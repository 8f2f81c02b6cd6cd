import { codeOf } from '../../chains/evm/contracts.ts'
import { callTogether, type Rpc } from '../../chains/evm/rpc-client.ts'
import { PROJECT_TOKEN, USDC } from '../known-addresses.ts'
import { simAddress } from '../sim-address.ts'
import type { SimToken, TokenWorld } from '../token-world.ts'
import { readNumbers, sendTogetherAs, type TokenCall } from './chain-calls.ts'

/** These are on the chain without us, with code of their own. */
const THERE: ReadonlySet<string> = new Set([USDC, PROJECT_TOKEN])
/** As many as one block has room for: a token with its holders and a long name takes some 2 million gas. */
const TOGETHER = 8
/** Not the faucet: two transactions of one account at once would be given the same nonce. */
const PLANTER = simAddress('planter')

/** Puts those tokens on the chain that it does not have yet, with their holders as they are now. Returns the others. */
export async function plantTokens(
  rpc: Rpc,
  world: TokenWorld,
  tokens: readonly SimToken[],
  nowMs: number,
): Promise<readonly SimToken[]> {
  const ours = tokens.filter(({ address }) => !THERE.has(address))
  const supplies = await readNumbers(
    rpc,
    ours.map(({ address }) => ({ to: address, name: 'totalSupply', args: [] })),
  )
  const missing = ours.filter((_, i) => supplies[i] === 0n)
  if (missing.length === 0) return tokens
  const code = codeOf('SimulatedToken')
  await callTogether(
    rpc,
    missing.map(({ address }) => ['anvil_setCode', address, code] as const),
  )
  for (let i = 0; i < missing.length; i += TOGETHER) {
    const calls = missing.slice(i, i + TOGETHER).map((token) => toCall(world, token, nowMs))
    await sendTogetherAs(rpc, PLANTER, calls)
  }
  return tokens.filter((token) => !missing.includes(token))
}

function toCall(world: TokenWorld, token: SimToken, nowMs: number): TokenCall {
  const holders = world.holders(token.address, nowMs)
  const held = [holders.map(({ address }) => address), holders.map(({ amount }) => amount)]
  return {
    to: token.address,
    name: 'plant',
    args: [token.name, token.symbol, token.decimals, token.totalSupply, ...held],
  }
}
