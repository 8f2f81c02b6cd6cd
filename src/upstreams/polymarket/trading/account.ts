import { AssetType, type ClobClient } from '@polymarket/clob-client-v2'
import { SECOND_MS } from '../../../core/time/time.ts'
import { wireArray } from '../../wire/text.ts'
import { BalanceReply, OpenOrder, UserTrade } from '../clob/order-wire.ts'
import { POLYMARKET_CONTRACTS } from '../relayer/addresses.ts'
import { latestOf, toOrderView, toTradeViews } from './account-views.ts'
import { createPlacing } from './placing.ts'
import { openSession } from './session.ts'
import type { Trading, TradingInput } from './trading.ts'
import { TradingError } from './trading-error.ts'
import { parseReply, readCanceled } from './wire.ts'

const READ = { limitMs: 5 * SECOND_MS }
/** A page has 100 rows or more. */
const LISTS = { limitMs: 15 * SECOND_MS, maxRequests: 50 }
const CANCEL = { limitMs: 10 * SECOND_MS }
const MAX_ROWS = 5_000

const COLLATERAL = { asset_type: AssetType.COLLATERAL }
type Asset = Parameters<ClobClient['getBalanceAllowance']>[0]

/** All that needs the venue. */
export type Account = Omit<Trading, 'orderIdOf'>

export async function openAccount(input: TradingInput): Promise<Account> {
  const session = await openSession(input)
  const { call } = session
  const order: Trading['order'] = async (orderId) => {
    checkId(orderId)
    try {
      const json = await call(READ, (client) => client.getOrder(orderId))
      if (json === null) return undefined
      const found = toOrderView(parseReply(OpenOrder, json, 'order'))
      if (found.orderId.toLowerCase() === orderId) return found
      throw new TradingError('unknown', 'the reply is about another order')
    } catch (error) {
      if (error instanceof TradingError && error.fault === 'not_found') return undefined
      throw error
    }
  }
  const readBalance = async (asset: Asset) =>
    parseReply(BalanceReply, await call(READ, (client) => client.getBalanceAllowance(asset)), 'balance')
  return {
    async connect() {
      await call(READ, (client) => client.updateBalanceAllowance(COLLATERAL))
    },
    place: createPlacing({ session, order, clock: input.clock }),
    async cancel(orderId) {
      checkId(orderId)
      const json = await call(CANCEL, (client) => client.cancelOrder({ orderID: orderId }))
      return readCanceled(json, orderId)
    },
    order,
    async openOrders() {
      const json = await call(LISTS, (client) => client.getOpenOrders())
      const orders = parseReply(wireArray(OpenOrder, MAX_ROWS), json, 'orders').map(toOrderView)
      return latestOf(orders, ({ orderId }) => orderId)
    },
    async trades(sinceMs, market) {
      // The venue leaves out the second that is named.
      const after = String(Math.max(0, Math.floor(sinceMs / SECOND_MS) - 1))
      const json = await call(LISTS, (client) => client.getTrades({ after, ...(market && { market }) }))
      const rows = parseReply(wireArray(UserTrade, MAX_ROWS), json, 'trades')
      const views = rows.flatMap((row) => toTradeViews(row, session.wallet))
      return latestOf(views, ({ tradeId, orderId }) => `${tradeId} ${orderId}`)
    },
    async balance() {
      const { balance, allowances } = await readBalance(COLLATERAL)
      const [, allowanceE6 = 0n] = [...allowances].find(([spender]) => isExchange(spender)) ?? []
      return { collateralE6: balance, allowanceE6 }
    },
    async sharesE6(tokenId) {
      if (!/^\d{1,78}$/.test(tokenId)) throw new RangeError('a token id is a decimal number')
      const asset = { asset_type: AssetType.CONDITIONAL, token_id: tokenId }
      // The venue tells what it last saw of a token, which may be nothing; it looks when it is asked to.
      await call(READ, (client) => client.updateBalanceAllowance(asset))
      return (await readBalance(asset)).balance
    },
    serverTimeMs: session.serverTimeMs,
  }
}

const isExchange = (address: string) => address.toLowerCase() === POLYMARKET_CONTRACTS.exchange.toLowerCase()

/** Ids stand in addresses. */
function checkId(orderId: string): void {
  if (!/^0x[0-9a-f]{64}$/.test(orderId)) throw new RangeError('an order id is 0x and 64 hex digits')
}
