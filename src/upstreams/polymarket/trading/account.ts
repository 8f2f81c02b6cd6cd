import { AssetType } from '@polymarket/clob-client-v2'
import { z } from 'zod'
import { SECOND_MS } from '../../../core/time/time.ts'
import { POLYMARKET_CONTRACTS } from '../relayer/addresses.ts'
import { toOrderView, toTradeView } from './account-views.ts'
import { createPlacing } from './placing.ts'
import { openSession } from './session.ts'
import type { Trading, TradingInput } from './trading.ts'
import { TradingError } from './trading-error.ts'
import { parseReply, WireBalance, WireCanceled, WireOrder, WireTrade } from './wire.ts'

const READ = { limitMs: 5 * SECOND_MS }
/** A page has 100 rows or more. */
const LISTS = { limitMs: 15 * SECOND_MS, maxRequests: 50 }
const CANCEL = { limitMs: 10 * SECOND_MS }
const MAX_ROWS = 5_000

export async function openAccount(input: TradingInput): Promise<Trading> {
  const session = await openSession(input)
  const { call } = session
  const order: Trading['order'] = async (orderId) => {
    checkId(orderId)
    try {
      const json = await call(READ, (client) => client.getOrder(orderId))
      return json === null ? undefined : toOrderView(parseReply(WireOrder, json, 'order'))
    } catch (error) {
      if (error instanceof TradingError && error.fault === 'not_found') return undefined
      throw error
    }
  }
  const readBalance = async (token_id?: string) => {
    const asset =
      token_id === undefined
        ? { asset_type: AssetType.COLLATERAL }
        : { asset_type: AssetType.CONDITIONAL, token_id }
    return parseReply(WireBalance, await call(READ, (client) => client.getBalanceAllowance(asset)), 'balance')
  }
  return {
    async connect() {
      await call(READ, (client) => client.updateBalanceAllowance({ asset_type: AssetType.COLLATERAL }))
    },
    place: createPlacing({ session, order, clock: input.clock }),
    async cancel(orderId) {
      checkId(orderId)
      const json = await call(CANCEL, (client) => client.cancelOrder({ orderID: orderId }))
      return parseReply(WireCanceled, json, 'cancellation').canceled?.includes(orderId) ?? false
    },
    order,
    async openOrders() {
      const json = await call(LISTS, (client) => client.getOpenOrders())
      return parseReply(z.array(WireOrder).max(MAX_ROWS), json, 'orders').map(toOrderView)
    },
    async trades(sinceMs) {
      // The venue leaves out the second that is named.
      const after = String(Math.max(0, Math.floor(sinceMs / SECOND_MS) - 1))
      const json = await call(LISTS, (client) => client.getTrades({ after }))
      const rows = parseReply(z.array(WireTrade).max(MAX_ROWS), json, 'trades')
      return rows.flatMap((row) => toTradeView(row, session.wallet))
    },
    async balance() {
      const { balance, allowances } = await readBalance()
      return { collateral: balance, allowance: allowances[POLYMARKET_CONTRACTS.exchange] ?? 0n }
    },
    async shares(tokenId) {
      if (!/^\d{1,78}$/.test(tokenId)) throw new RangeError('a token id is a decimal number')
      return (await readBalance(tokenId)).balance
    },
    serverTimeMs: session.serverTimeMs,
  }
}

/** Ids stand in addresses. */
function checkId(orderId: string): void {
  if (!/^0x[0-9a-f]{64}$/.test(orderId)) throw new RangeError('an order id is 0x and 64 hex digits')
}
