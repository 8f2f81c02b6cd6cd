import { createHash } from 'node:crypto'
import type { Address, Hex } from 'viem'
import type { Log } from '../../../core/log.ts'
import { SECOND_MS } from '../../../core/time/time.ts'
import { createSerialQueue } from '../../serial-queue.ts'
import { type Custody, CustodyRefused, type Settlement } from '../custody.ts'
import type { PredictionVenue, VenueFill, VenueMarket } from '../venue.ts'
import type { AccountStore } from './account-store.ts'
import { toUuid } from './api-keys.ts'
import type { AccountTrade } from './rows.ts'

export type Settlements = {
  /** Resolves once all fills of an order that were made so far are settled or failed, or the chain did not answer. */
  settled(orderId: string): Promise<void>
  allSettled(): Promise<void>
  /** On the market's clock: settled trades become final a few seconds later. */
  tick(nowMs: number): void
  close(): void
}

export type SettlementInput = {
  venue: PredictionVenue
  custody: Custody
  store: AccountStore
  nextSeq: () => number
  tell: (trade: AccountTrade) => void
  log: Log
}

const MAX_WAITING = 1_000
/** More than a match ever has; what is beyond it is settled by another transaction. */
const MAX_FILLS = 100
const CONFIRM_AFTER_MS = 4 * SECOND_MS

type Match = { market: VenueMarket; fills: VenueFill[] }
/** Fills that one transaction carries out. */
type Part = { id: Hex; market: VenueMarket; trades: readonly AccountTrade[] }

/** Fills of the venue become transactions, one for each match. Where it is refused, nothing moved and the trade says so. */
export function createSettlements(input: SettlementInput): Settlements {
  const { venue, store } = input
  const underWay = new Map<string, Promise<void>>()
  const unconfirmed = new Set<string>()
  let matches = new Map<string, Match>()

  const change = (trade: AccountTrade, fields: Partial<AccountTrade>) => {
    const changed = { ...trade, ...fields, updatedMs: venue.nowMs() }
    store.trades.put(changed)
    input.tell(changed)
    if (changed.status === 'MINED') unconfirmed.add(changed.id)
  }
  const { settle, retry } = createAttempts(input, change)
  const start = (part: Part) => {
    const done = settle(part)
    for (const { orderId } of part.trades) follow(underWay, orderId, done)
  }
  const flush = () => {
    const all = matches
    matches = new Map()
    for (const { market, fills } of all.values())
      for (let from = 0; from < fills.length; from += MAX_FILLS) {
        const part = toPart(market, fills.slice(from, from + MAX_FILLS), input)
        // Kept with the id before anything is sent: after a kill the chain is asked for it.
        for (const trade of part.trades) {
          store.trades.put(trade)
          input.tell(trade)
        }
        start(part)
      }
  }
  const stop = venue.onEvent((event) => {
    if (event.type !== 'trade' || !store.orders.get(event.fill.orderId)) return
    const { fill, market } = event
    const takerOrderId = fill.role === 'TAKER' ? fill.orderId : fill.counter.orderId
    if (matches.size === 0) queueMicrotask(flush)
    const match = matches.get(takerOrderId) ?? { market, fills: [] }
    match.fills.push(fill)
    matches.set(takerOrderId, match)
  })
  for (const trade of store.trades.all()) if (trade.status === 'MINED') unconfirmed.add(trade.id)
  return {
    async settled(orderId) {
      // The fills of this turn become settlements in the next microtask.
      await Promise.resolve()
      await underWay.get(orderId)
    },
    async allSettled() {
      await Promise.resolve()
      await Promise.all(underWay.values())
    },
    tick(nowMs) {
      retry(start)
      for (const id of unconfirmed) {
        const trade = store.trades.get(id)
        if (trade && nowMs - trade.updatedMs < CONFIRM_AFTER_MS) continue
        unconfirmed.delete(id)
        if (trade) change(trade, { status: 'CONFIRMED' })
      }
    },
    close: stop,
  }
}

/** Only what the contracts refuse has failed. Of anything else it is not known whether it moved, so it is asked again. */
function createAttempts(
  { custody, log }: SettlementInput,
  change: (trade: AccountTrade, fields: Partial<AccountTrade>) => void,
) {
  const queue = createSerialQueue({ maxWaiting: MAX_WAITING })
  const unknown: Part[] = []
  const told = new WeakSet<Part>()
  const send = ({ id, market, trades }: Part) =>
    queue.run(async () => {
      await custody.prepare(market.conditionId as Hex, toTokenPair(market))
      return custody.settle(id, trades.map(toSettlement))
    })
  return {
    async settle(part: Part) {
      const { id, trades } = part
      try {
        const transactionHash = await send(part)
        for (const trade of trades) change(trade, { status: 'MINED', transactionHash })
      } catch (error) {
        const isRefused = error instanceof CustodyRefused
        if (isRefused || !told.has(part))
          log.warn({ id, isRefused, error: String(error) }, 'a match on the simulated venue is not settled')
        told.add(part)
        if (isRefused) for (const trade of trades) change(trade, { status: 'FAILED' })
        else unknown.push(part)
      }
    },
    /** One at a time, so that a chain that is slow is not asked more and more. */
    retry(start: (part: Part) => void) {
      const part = unknown.shift()
      if (part) start(part)
    },
  }
}

function toPart(market: VenueMarket, fills: readonly VenueFill[], { store, nextSeq }: SettlementInput): Part {
  const rows = fills.map((fill) => toTrade(fill, market, store, nextSeq()))
  const id = `0x${sha256(`settlement of ${rows[0]?.id}`).toString('hex')}` as const
  return { id, market, trades: rows.map((row) => ({ ...row, settlementId: id })) }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()

function follow(underWay: Map<string, Promise<void>>, orderId: string, done: Promise<void>): void {
  const both = Promise.all([underWay.get(orderId), done]).then(() => {
    if (underWay.get(orderId) === both) underWay.delete(orderId)
  })
  underWay.set(orderId, both)
}

function toTrade(
  fill: VenueFill,
  market: VenueMarket,
  store: AccountStore,
  seq: number,
): Omit<AccountTrade, 'settlementId'> {
  const { orderId, wallet, tokenId, side, priceE4, sharesE6, feeE6, role, counter, atMs } = fill
  const text = [fill.id, orderId, counter.orderId, atMs, seq].join()
  return {
    id: toUuid(sha256(text)),
    seq,
    orderId,
    owner: store.orders.get(orderId)?.owner ?? '',
    wallet,
    conditionId: market.conditionId,
    tokenId,
    side,
    priceE4,
    sharesE6,
    // Floors: a buyer never pays more than the price that was signed.
    collateralE6: Number((BigInt(priceE4) * BigInt(sharesE6)) / 10_000n),
    feeE6,
    role,
    counter,
    status: 'MATCHED',
    transactionHash: '',
    matchedMs: atMs,
    updatedMs: atMs,
  }
}

const toTokenPair = ({ tokenIds }: VenueMarket): readonly [bigint, bigint] => [
  BigInt(tokenIds[0]),
  BigInt(tokenIds[1]),
]

const toSettlement = (trade: AccountTrade): Settlement => ({
  wallet: trade.wallet as Address,
  conditionId: trade.conditionId as Hex,
  tokenId: BigInt(trade.tokenId),
  side: trade.side,
  shares: BigInt(trade.sharesE6),
  collateral: BigInt(trade.collateralE6),
  fee: BigInt(trade.feeE6),
})
