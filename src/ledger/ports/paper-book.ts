import type { FillRow, PlannedOrder } from './bot-book.ts'

export type PaperOrder = Pick<PlannedOrder, 'clientOrderId' | 'conditionId' | 'tokenId' | 'side'> & {
  orderId: string
  atMs: number
  fills: readonly FillRow[]
}
export type PaperPayout = {
  conditionId: string
  tokenId: string
  sharesE6: bigint
  amountE6: bigint
  atMs: number
}

/**
 * The account of the paper broker, kept as a venue would keep it: apart from what the bot believes. What would sell or
 * pay more shares than there are rejects.
 */
export type PaperBook = {
  /** False where the client order id is there already; nothing is written then. */
  add(order: PaperOrder): Promise<boolean>
  find(clientOrderId: string): Promise<PaperOrder | undefined>
  /** Pays a resolved token once; false where it was paid already. */
  pay(payout: PaperPayout): Promise<boolean>
  /** Oldest first. */
  payouts(): Promise<readonly PaperPayout[]>
  /** Purchases with fees are negative, sales less fees and payouts positive; without what the account started with. */
  cashFlowE6(): Promise<bigint>
  /** Shares bought less sold and paid out, of tokens that have any. */
  holdings(): Promise<readonly { conditionId: string; tokenId: string; sharesE6: bigint }[]>
  /** Oldest first. */
  ordersSince(sinceMs: number): Promise<readonly PaperOrder[]>
}
