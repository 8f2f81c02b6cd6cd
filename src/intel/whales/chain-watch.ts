import type { ExchangeFlows, FlowSpan, FlowSum } from './exchange-flows.ts'
import type { Movement } from './movement.ts'
import { LARGE_TRANSFER_USD, type WatchedToken } from './thresholds.ts'
import type { Chain, LargeTransfer } from './transfer.ts'
import type { TransferBook } from './transfer-book.ts'

/** What is read of one chain. */
export type ChainWatch = {
  /** Reads what is new, and returns the newest block. Repeated on a schedule; a reading that fails is repeated as a whole. */
  read(): Promise<string>
  /** Newest first. */
  transfers(nowMs: number): readonly LargeTransfer[]
  flow(token: WatchedToken, span: FlowSpan, nowMs: number): FlowSum | undefined
  /** Every block since then was read; undefined before the first. */
  sinceMs(): number | undefined
  readonly version: number
}

type Seen = {
  chain: Chain
  token: WatchedToken
  hash: string
  movement: Movement
  /** Smallest units in one whole, and the price of a whole. */
  units: number
  priceUsd: number
  isConfirmed: boolean
  atMs: number
}

/** What a movement is worth; the transfer is undefined where that is not large. */
function valueMovement({ movement, units, priceUsd, ...seen }: Seen): {
  transfer: LargeTransfer | undefined
  inUsd: number
  outUsd: number
} {
  const usdOf = (amount: bigint) => (Number(amount) / units) * priceUsd
  const { amount, from, to, fromExchange, toExchange, kind } = movement
  const usd = usdOf(amount)
  const isLarge = usd >= LARGE_TRANSFER_USD[seen.token]
  const parties = { from, to, fromExchange, toExchange, kind }
  return {
    transfer: isLarge ? { ...seen, amount: Number(amount) / units, usd, ...parties } : undefined,
    inUsd: usdOf(movement.intoExchanges),
    outUsd: usdOf(movement.outOfExchanges),
  }
}

export function keepMovement(seen: Seen, book: TransferBook, flows: ExchangeFlows | undefined): void {
  const { transfer, inUsd, outUsd } = valueMovement(seen)
  if (transfer) book.add(transfer)
  if (seen.isConfirmed) flows?.add({ atMs: seen.atMs, inUsd, outUsd })
}
