import type { Broker, Obstacle, Placed } from '../../bot/brokers/broker.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { BrokerName, FillRow, FillState, PlannedOrder } from '../../ledger/ports/bot-book.ts'
import { feeOf } from '../../market/prediction/fee.ts'

/**
 * How the venue takes the next order. `lost`: taken, but the answer never comes. `unsent`: it never arrives. `half`: half
 * of it is taken. `nothing`: it is over without a fill. `matched`: taken, and not yet final.
 */
export type Fate = 'taken' | 'half' | 'nothing' | 'refused' | 'lost' | 'unsent' | 'matched'

type Account = {
  cashE6: bigint
  shares: Map<string, { conditionId: string; sharesE6: bigint }>
  orders: Map<string, FillRow[]>
  /** Calls of `place` for each client order id. */
  sent: Map<string, number>
  paid: { conditionId: string; amountE6: bigint }[]
}

/** An account at a venue that keeps its own count and does what a test says. It outlives the bot that uses it. */
export type ScriptedBroker = Broker & {
  account: Account
  /** Of orders to come, in order; then all are taken. */
  fates: Fate[]
  /** While true every question is rejected. */
  isDown: boolean
  /** Whether the venue is sure that it never had an order it does not know. */
  isSure: boolean
  obstacleList: Obstacle[]
  skewMs: number | undefined
  winners: Set<string>
  /** Tokens of markets that pay both sides alike. */
  halves: Set<string>
  /** While true the venue's records tell of no payment yet. */
  hidesPayments: boolean
  pauseList: Obstacle[]
  /** Of the redemptions to come. */
  redeemFates: ('paid' | 'refused' | 'unknown' | 'unknown but paid')[]
  /** What became of matched fills. */
  decideFills(state: FillState): void
}

const ONE = 1_000_000n
const E4_TO_E6 = 100n

export function createScriptedBroker(name: BrokerName, cashE6 = 1_000_000_000n): ScriptedBroker {
  const account: Account = { cashE6, shares: new Map(), orders: new Map(), sent: new Map(), paid: [] }
  const venue: ScriptedBroker = {
    name,
    account,
    fates: [],
    isDown: false,
    isSure: true,
    obstacleList: [],
    skewMs: 0,
    winners: new Set(),
    halves: new Set(),
    hidesPayments: false,
    pauseList: [],
    pauses: async () => venue.pauseList,
    redeemFates: [],
    obstacles: async () => up(venue) && venue.obstacleList,
    clockSkewMs: async () => (up(venue) ? venue.skewMs : undefined),
    cashE6: async () => (up(venue) ? account.cashE6 : 0n),
    holding: async (tokenId) => (up(venue) ? (account.shares.get(tokenId)?.sharesE6 ?? 0n) : 0n),
    holdings: async () =>
      up(venue) ? [...account.shares].map(([tokenId, held]) => ({ tokenId, ...held })) : [],
    orderIdOf: async ({ clientOrderId }) => `venue-${clientOrderId}`,
    place: async (order) => place(venue, order),
    find: async (order) => (up(venue) ? find(venue, order) : never()),
    redeem: async (conditionId, tokenIds) => (up(venue) ? redeem(venue, conditionId, tokenIds) : never()),
    findPaid: async (conditionId) => (up(venue) ? findPaid(venue, conditionId) : never()),
    close() {},
    decideFills(state) {
      for (const [id, fills] of account.orders)
        account.orders.set(
          id,
          fills.map((fill) => (fill.state === 'matched' ? { ...fill, state } : fill)),
        )
    },
  }
  return venue
}

function up({ isDown }: ScriptedBroker): true {
  if (isDown) throw new ServiceError('upstream_unavailable', 'the venue is down')
  return true
}

function never(): never {
  throw new Error('not reached')
}

function place(venue: ScriptedBroker, order: PlannedOrder): Placed {
  const { account, fates } = venue
  const { clientOrderId } = order
  account.sent.set(clientOrderId, (account.sent.get(clientOrderId) ?? 0) + 1)
  const known = account.orders.get(clientOrderId)
  if (known) return { state: 'closed', orderId: `venue-${clientOrderId}`, fills: known }
  const fate = fates.shift() ?? 'taken'
  if (fate === 'refused') return { state: 'refused', reason: 'the venue does not want it' }
  if (fate === 'unsent') return { state: 'open', orderId: undefined, fills: [], reason: 'no answer' }
  const fills = fate === 'nothing' ? [] : [fillOf(order, fate)]
  account.orders.set(clientOrderId, fills)
  for (const fill of fills) book(account, order, fill)
  if (fate === 'lost') return { state: 'open', orderId: undefined, fills: [], reason: 'no answer' }
  return { state: 'closed', orderId: `venue-${clientOrderId}`, fills }
}

function find(venue: ScriptedBroker, { clientOrderId }: PlannedOrder): Placed {
  const fills = venue.account.orders.get(clientOrderId)
  if (fills) return { state: 'closed', orderId: `venue-${clientOrderId}`, fills }
  if (venue.isSure) return { state: 'refused', reason: 'the venue never had it' }
  return { state: 'open', orderId: undefined, fills: [], reason: 'the venue does not know it yet' }
}

function fillOf(order: PlannedOrder, fate: Fate): FillRow {
  const priceE6 = BigInt(order.priceE4) * E4_TO_E6
  const part = fate === 'half' ? 2n : 1n
  const sharesE6 = (order.sharesE6 ?? ((order.spendE6 ?? 0n) * ONE) / priceE6) / part
  return {
    tradeId: `trade-${order.clientOrderId}`,
    state: fate === 'matched' ? 'matched' : 'confirmed',
    priceE6,
    sharesE6,
    notionalE6: (priceE6 * sharesE6) / ONE,
    feeE6: feeOf(order.fee, priceE6, sharesE6) ?? 0n,
    atMs: order.createdMs,
    transactionHash: undefined,
  }
}

function book(account: Account, order: PlannedOrder, { sharesE6, notionalE6, feeE6 }: FillRow): void {
  const { tokenId, conditionId } = order
  const sign = order.side === 'BUY' ? 1n : -1n
  const before = account.shares.get(tokenId)?.sharesE6 ?? 0n
  account.shares.set(tokenId, { conditionId, sharesE6: before + sign * sharesE6 })
  account.cashE6 -= sign * notionalE6 + feeE6
}

function redeem(venue: ScriptedBroker, conditionId: string, tokenIds: readonly string[]) {
  const { account, winners, halves, redeemFates } = venue
  const fate = redeemFates.shift() ?? 'paid'
  if (fate === 'refused') return { outcome: 'refused', reason: 'the relayer is busy' } as const
  if (fate === 'unknown') return { outcome: 'unknown', reason: 'no answer' } as const
  const paying = tokenIds.filter((tokenId) => winners.has(tokenId) || halves.has(tokenId))
  if (paying.length === 0) return { outcome: 'refused', reason: 'it is not resolved, or lost' } as const
  const amountE6 = paying.reduce((sum, tokenId) => {
    const sharesE6 = account.shares.get(tokenId)?.sharesE6 ?? 0n
    return sum + (halves.has(tokenId) ? sharesE6 / 2n : sharesE6)
  }, 0n)
  for (const tokenId of paying) account.shares.delete(tokenId)
  account.cashE6 += amountE6
  account.paid.push({ conditionId, amountE6 })
  if (fate === 'unknown but paid') return { outcome: 'unknown', reason: 'no answer' } as const
  return { outcome: 'paid', amountE6, transactionHash: '0xpaid' } as const
}

function findPaid({ account, hidesPayments }: ScriptedBroker, conditionId: string) {
  const own = account.paid.filter((paid) => paid.conditionId === conditionId)
  if (own.length === 0 || hidesPayments) return undefined
  return { amountE6: own.reduce((sum, { amountE6 }) => sum + amountE6, 0n), transactionHash: '0xpaid' }
}
