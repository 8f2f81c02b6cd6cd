import type { BrokerName, FillRow, PlannedOrder } from '../../ledger/ports/bot-book.ts'

/** What became of an order that was sent now or before. Amounts in millionths. */
export type Placed =
  /** It is over: these are all its fills. A state of a fill may still move on. */
  | { state: 'closed'; orderId: string; fills: readonly FillRow[]; note?: string }
  /** The venue did not take it, and has nothing of it. */
  | { state: 'refused'; reason: string; retryAfterMs?: number | undefined }
  /**
   * It may have been taken, wholly or in part: `find` tells later. Never to be sent again under another id. `isAccepted`:
   * the venue itself has said that it took it.
   */
  | {
      state: 'open'
      orderId: string | undefined
      fills: readonly FillRow[]
      reason: string
      isAccepted?: boolean
    }

/** An order that was sent, with what the ledger knows of it. */
export type SentOrder = PlannedOrder & { acceptedMs?: number | undefined }

/** As the venue, or the paper account, counts it. */
export type Holding = { conditionId: string; tokenId: string; sharesE6: bigint }

export type Redeemed =
  | { outcome: 'paid'; amountE6: bigint; transactionHash: string | undefined }
  /** Nothing moved and nothing will: it may be asked for again. */
  | { outcome: 'refused'; reason: string }
  /** It may have been carried out: `findPaid` tells. */
  | { outcome: 'unknown'; reason: string }

export type Paid = { amountE6: bigint; transactionHash: string | undefined }

/** What stands between us and trading now; empty: nothing. Each says what to do. */
export type Obstacle = { code: string; text: string }

/**
 * An account that can trade five-minute markets. All orders take at once or not at all (FAK): nothing ever rests.
 * Rejects with a `ServiceError` where the venue cannot be asked; `place` never rejects once something was sent.
 */
export type Broker = {
  name: BrokerName
  /** Credentials, geoblock, a funded wallet, its approvals. Asked before trading is switched on, and every few minutes. */
  obstacles(): Promise<readonly Obstacle[]>
  /** What the venue said to our last orders, and that counts for a while. Asks nobody. */
  pauses(): Promise<readonly Obstacle[]>
  /** The venue's clock less ours; undefined where it cannot be asked. At most a minute old. */
  clockSkewMs(): Promise<number | undefined>
  cashE6(): Promise<bigint>
  /** One reading may be behind: that it is 0 proves nothing. */
  holding(tokenId: string): Promise<bigint>
  holdings(): Promise<readonly Holding[]>
  /** The id that the order will have at the venue, known before it is sent. */
  orderIdOf(order: PlannedOrder): Promise<string>
  /** The same client order id twice is one order, whatever happened in between. */
  place(order: PlannedOrder): Promise<Placed>
  /** Looks an order up that was sent, or perhaps sent, before. `refused` only where the venue certainly never had it. */
  find(order: SentOrder): Promise<Placed>
  /** Pays all shares of these tokens of a resolved market. Without shares nothing is paid, so it may be asked for again. */
  redeem(conditionId: string, tokenIds: readonly string[]): Promise<Redeemed>
  /**
   * What was paid for shares of a market since then, whoever asked for it, as the venue's records have it. Undefined
   * where they have nothing of it, which may be a delay.
   */
  findPaid(conditionId: string, sinceMs: number): Promise<Paid | undefined>
  close(): void
}
