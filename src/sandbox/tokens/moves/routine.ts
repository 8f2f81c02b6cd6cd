import type { Address } from 'viem'
import { createRandomStream } from '../../../core/math/random.ts'
import { DAY_MS, MINUTE_MS } from '../../../core/time/time.ts'
import { simAddress, simHash } from '../sim-address.ts'
import type { SimTransfer } from '../token-world.ts'
import type { WalletSpec } from '../wallets/make-wallet.ts'
import { WALLET_LIST } from '../wallets/wallet-list.ts'

/** Small amounts that come and go again, as often as the number of a wallet's transactions says. */
export type Routine = {
  /** Newest first, up to `atMs`. */
  of(wallet: string, atMs: number, count: number): readonly SimTransfer[]
  /** Of all wallets, oldest first; `toMs` does not belong to it. */
  between(fromMs: number, toMs: number): readonly SimTransfer[]
  /** What has come and not gone again yet. */
  addedTo(wallet: string, token: string, atMs: number): bigint
  /** Transactions that a wallet has sent since its number of them was written down. */
  sentBy(wallet: string, atMs: number): number
}

const LIVED_UNTIL_MS = Date.UTC(2026, 0, 1)
const SHORTEST_PAUSE_MS = 2 * MINUTE_MS
const LONGEST_PAUSE_MS = 30 * DAY_MS
/** Wallets with fewer transactions did nothing but receive what they have. */
const QUIET_BELOW = 30
/** Of what somebody has, what passes through at a time. */
const PASSING_PARTS = 2_000n
const COUNTERPARTIES = 16

type Life = { wallet: WalletSpec; pauseMs: number }

export function createRoutine(seed: string): Routine {
  const { uint32 } = createRandomStream(seed, 'transfers')
  const lives = new Map<string, Life>(
    WALLET_LIST.filter(isBusy).map((wallet) => [wallet.address, { wallet, pauseMs: pauseOf(wallet) }]),
  )
  // What comes in an even slot goes in the next one.
  const at = ({ wallet, pauseMs }: Life, slot: number): SimTransfer | undefined => {
    const { name, address, holdings, firstSeenMs } = wallet
    const pair = Math.floor(slot / 2)
    const own = holdings[uint32(pair * 2) % holdings.length]
    if (!own || slot * pauseMs <= firstSeenMs) return undefined
    const other = simAddress(`counterparty/${name}/${pair % COUNTERPARTIES}`)
    const [from, to]: [Address, Address] = isIn(slot) ? [other, address] : [address, other]
    return {
      hash: simHash(`transfer/routine/${name}/${slot}`),
      atMs: slot * pauseMs + (uint32(slot * 2 + 1) % Math.floor(pauseMs / 2)),
      ...{ from, to, token: own.token, amount: own.amount / PASSING_PARTS },
    }
  }
  /** The last slot whose transfer has happened. */
  const lastSlot = (life: Life, atMs: number): number => {
    const slot = Math.floor(atMs / life.pauseMs)
    return (at(life, slot)?.atMs ?? 0) <= atMs ? slot : slot - 1
  }
  const of = (life: Life, atMs: number, count: number): SimTransfer[] => {
    const last = lastSlot(life, atMs)
    return Array.from({ length: count }, (_, back) => last - back).flatMap((slot) => at(life, slot) ?? [])
  }
  return {
    of(wallet, atMs, count) {
      const life = lives.get(wallet)
      return life ? of(life, atMs, count) : []
    },
    between: (fromMs, toMs) =>
      [...lives.values()]
        .flatMap((life) => of(life, toMs - 1, Math.ceil((toMs - fromMs) / life.pauseMs) + 1))
        .filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
        .sort((a, b) => a.atMs - b.atMs),
    addedTo(wallet, token, atMs) {
      const life = lives.get(wallet)
      if (!life) return 0n
      const slot = lastSlot(life, atMs)
      const last = isIn(slot) ? at(life, slot) : undefined
      return last?.token === token ? last.amount : 0n
    },
    sentBy(wallet, atMs) {
      const life = lives.get(wallet)
      if (!life) return 0
      // Of two slots one is sent.
      const sentUntil = (ms: number) => Math.floor((lastSlot(life, ms) + 1) / 2)
      return Math.max(0, sentUntil(atMs) - sentUntil(LIVED_UNTIL_MS))
    },
  }
}

const isIn = (slot: number): boolean => slot % 2 === 0

const isBusy = ({ name, kind, transactions, holdings }: WalletSpec): boolean =>
  kind === 'other' && transactions >= QUIET_BELOW && holdings.length > 0 && name !== 'victim'

function pauseOf({ firstSeenMs, transactions }: WalletSpec): number {
  const pause = Math.round((LIVED_UNTIL_MS - firstSeenMs) / transactions)
  return Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, pause))
}
