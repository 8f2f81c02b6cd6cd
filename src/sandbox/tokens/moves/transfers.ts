import type { Address } from 'viem'
import { DAY_MS, MINUTE_MS } from '../../../core/time/time.ts'
import { DRAINER } from '../known-addresses.ts'
import { holderOf } from '../pool-holder.ts'
import { simAddress, simHash } from '../sim-address.ts'
import type { SimHolding, SimToken, SimTransfer, WhaleMove } from '../token-world.ts'
import type { WalletSpec } from '../wallets/make-wallet.ts'
import { DRAIN } from '../wallets/people.ts'
import { asOf, WALLET_LIST } from '../wallets/wallet-list.ts'
import type { Routine } from './routine.ts'

export type TransfersInput = {
  seed: string
  token(address: string): SimToken | undefined
  movesBetween(fromMs: number, toMs: number): readonly WhaleMove[]
  routine: Routine
}

/** Newest first, before `atMs`. */
export type TransfersOf = (wallet: string, atMs: number, limit: number) => readonly SimTransfer[]

export const MAX_TRANSFERS = 200
const MOVES_SHOWN_MS = 6 * DAY_MS

export function createTransfers({ seed, token, movesBetween, routine }: TransfersInput): TransfersOf {
  return (address, atMs, limit) => {
    const known = WALLET_LIST.find((each) => each.address === address)
    const wallet = known && asOf(known, atMs)
    const count = Math.min(limit, MAX_TRANSFERS)
    // Not spread: the worth of a move is looked up where it is read, and that takes long for old ones.
    const moves = movesBetween(atMs - MOVES_SHOWN_MS, atMs)
      .filter(({ from, to }) => from === address || to === address)
      .map((move) => toTransfer(`move/${seed}/${move.id}`, move))
    const own = wallet
      ? [...originsOf(wallet, token), ...drainOf(wallet), ...routine.of(address, atMs, count + 1)]
      : []
    return [...moves, ...own]
      .filter((transfer) => transfer.atMs < atMs)
      .sort((a, b) => b.atMs - a.atMs)
      .slice(0, count)
  }
}

type Facts = Omit<SimTransfer, 'hash'>
const toTransfer = (name: string, { atMs, from, to, token, amount }: Facts): SimTransfer => ({
  hash: simHash(`transfer/${name}`),
  atMs,
  from,
  to,
  token,
  amount,
})

/** How a wallet came by what it has. */
function originsOf({ name, address, holdings, firstSeenMs }: WalletSpec, token: TransfersInput['token']) {
  return holdings.map((own, i) => {
    const { createdMs = 0, creator, pools = [], traits } = token(own.token) ?? {}
    const pool = pools[0]
    const isGift = traits?.isHoneypot === true || pool === undefined
    const from = isGift ? (creator ?? address) : holderOf(pool)
    const atMs = Math.max(firstSeenMs, createdMs) + (i + 1) * 7 * MINUTE_MS
    return toTransfer(`origin/${name}/${own.token}`, { atMs, from, to: address, ...own })
  })
}

function drainOf({ name, address }: WalletSpec): SimTransfer[] {
  if (name !== 'victim') return []
  const transfer = (own: SimHolding, i: number, atMs: number, from: Address, to: Address) =>
    toTransfer(`drain/${own.token}/${to}`, { atMs: atMs + i * MINUTE_MS, from, to, ...own })
  return DRAIN.taken.flatMap((own, i) => [
    transfer(own, i, DRAIN.savedAtMs, simAddress('wallet/employer'), address),
    transfer(own, i, DRAIN.atMs, address, DRAINER),
  ])
}
