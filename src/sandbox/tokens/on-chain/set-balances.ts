import { type Address, encodeAbiParameters, keccak256, toHex } from 'viem'
import { callTogether, type Rpc } from '../../chains/evm/rpc-client.ts'
import type { SimToken, TokenWorld } from '../token-world.ts'
import { readNumbers, type TokenCall } from './chain-calls.ts'

/** Where `PlayToken` and `TestUsdc` keep them. */
const SUPPLY_SLOT = toHex(0, { size: 32 })
const BALANCES_SLOT = 1n
/** In one call to the chain. */
const READ_TOGETHER = 400

/**
 * Gives every holder on the chain what the world says. A chain that was stopped has missed what happened since; and USDC
 * and the project's token are there without the holders of the world.
 */
export async function setBalances(
  rpc: Rpc,
  world: TokenWorld,
  tokens: readonly SimToken[],
  nowMs: number,
): Promise<void> {
  const wanted = tokens.flatMap(({ address: token }) =>
    world.holders(token, nowMs).map(({ address, amount }) => ({ token, address, amount })),
  )
  for (let i = 0; i < wanted.length; i += READ_TOGETHER) {
    const part = wanted.slice(i, i + READ_TOGETHER)
    const found = await readNumbers(rpc, part.map(toBalanceOf))
    const wrong = part.filter(({ amount }, n) => found[n] !== amount)
    await callTogether(rpc, wrong.map(toSetting))
  }
  await setSupplies(rpc, tokens)
}

type Held = { token: Address; address: Address; amount: bigint }

export async function setBalance(rpc: Rpc, held: Held): Promise<void> {
  await rpc(...toSetting(held))
}

const toSetting = ({ token, address, amount }: Held) =>
  ['anvil_setStorageAt', token, balanceSlot(address), toHex(amount, { size: 32 })] as const

const toBalanceOf = ({ token, address }: Held): TokenCall => ({
  to: token,
  name: 'balanceOf',
  args: [address],
})

/** What was minted for buyers comes on top. */
async function setSupplies(rpc: Rpc, tokens: readonly SimToken[]): Promise<void> {
  const found = await readNumbers(
    rpc,
    tokens.map(({ address }) => ({ to: address, name: 'totalSupply', args: [] })),
  )
  const low = tokens.flatMap(({ address, totalSupply }, i) => {
    const now = found[i] ?? 0n
    return now < totalSupply ? [{ address, supply: now + totalSupply }] : []
  })
  await callTogether(
    rpc,
    low.map(
      ({ address, supply }) =>
        ['anvil_setStorageAt', address, SUPPLY_SLOT, toHex(supply, { size: 32 })] as const,
    ),
  )
}

function balanceSlot(holder: Address) {
  const types = [{ type: 'address' }, { type: 'uint256' }] as const
  return keccak256(encodeAbiParameters(types, [holder, BALANCES_SLOT]))
}
