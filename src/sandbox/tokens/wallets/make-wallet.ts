import type { Address } from 'viem'
import { simAddress } from '../sim-address.ts'
import { TOKEN_LIST } from '../specs/token-list.ts'
import type { SimApproval, SimHolding, SimWallet } from '../token-world.ts'
import { unitsOf } from '../units.ts'

export type WalletKind = 'whale' | 'exchange' | 'other'
export type WalletSpec = SimWallet & { kind: WalletKind; name: string }

/** An approval without limit, as wallets give it by default. */
export const UNLIMITED = 2n ** 256n - 1n

export const date = (year: number, month: number, day: number) => Date.UTC(year, month - 1, day, 9)
const specs = new Map(TOKEN_LIST.map((spec) => [spec.key, spec]))

/** In the token's smallest unit; `whole` may have decimals. */
export function holding(key: string, whole: number): SimHolding {
  const spec = specs.get(key)
  if (!spec) throw new RangeError(`no token ${key}`)
  return { token: spec.address, amount: unitsOf(whole, spec.decimals) }
}

type Draft = {
  name: string
  /** Made of the name where it is not given. */
  address?: Address
  kind?: WalletKind
  label?: string
  since: number
  ether: number
  transactions: number
  holds?: Readonly<Record<string, number>>
  approvals?: readonly SimApproval[]
}

export const makeWallet = ({
  name,
  address = simAddress(`wallet/${name}`),
  kind = 'other',
  label,
  since,
  ether,
  transactions,
  holds = {},
  approvals = [],
}: Draft): WalletSpec => ({
  name,
  kind,
  address,
  firstSeenMs: since,
  ether: unitsOf(ether, 18),
  transactions,
  holdings: Object.entries(holds).map(([key, whole]) => holding(key, whole)),
  approvals,
  ...(label && { label }),
})

export const approve = (key: string, spender: Address, atMs: number, amount = UNLIMITED): SimApproval => ({
  token: holding(key, 0).token,
  spender,
  amount,
  atMs,
})
