import type { Address } from 'viem'
import { isSameAddress } from '../../../prediction/accounts/api-keys.ts'
import { Refusal } from '../../../prediction/accounts/refusal.ts'
import type { AccountOrder, AccountTrade, ApiKey } from '../../../prediction/accounts/rows.ts'
import type { TradingAccounts } from '../../../prediction/accounts/trading-accounts.ts'
import { isObject } from '../../json-frame.ts'
import { json, ok, type Reply } from '../../reply.ts'
import { toOpenOrder, toUserTrade } from './format.ts'
import { toPage } from './pages.ts'
import { createSeenBalances } from './seen-balances.ts'

export type AccountRoute = (key: ApiKey, query: URLSearchParams, body: unknown) => Promise<Reply> | Reply

/** Routes that read what an account has, by method and path. */
export function createAccountRoutes(accounts: TradingAccounts): Readonly<Record<string, AccountRoute>> {
  const { custody, store, desk } = accounts
  const balances = createSeenBalances(custody)
  const tradesOf = (key: ApiKey) => {
    const wallet = custody.walletOf(key.address as Address)
    return store.trades.all().filter((trade) => isSameAddress(trade.wallet, wallet))
  }
  return {
    'GET /data/orders': (key, query) =>
      ok(
        toPage(
          newestFirst(desk.open(key).filter((order) => isChosenOrder(order, query))).map((order) =>
            showOrder(accounts, order),
          ),
          query.get('next_cursor'),
        ),
      ),
    'GET /data/trades': (key, query) =>
      ok(
        toPage(
          newestFirst(tradesOf(key).filter((trade) => isChosenTrade(trade, query))).map((trade) =>
            toUserTrade(trade, outcomeOf(accounts, trade)),
          ),
          query.get('next_cursor'),
        ),
      ),
    'GET /balance-allowance': async (key, query) => ok(await balances.read(key, query)),
    async 'GET /balance-allowance/update'(key, query) {
      await balances.update(key, query)
      return ok('')
    },
    'GET /auth/ban-status/closed-only': () => ok({ closed_only: false }),
    'GET /notifications': () => ok([]),
    'POST /v1/heartbeats'(key, _query, body) {
      const id = isObject(body) && typeof body.heartbeat_id === 'string' ? body.heartbeat_id : ''
      const { nextId, isExpected } = accounts.heartbeats.beat(key.address, id)
      return isExpected
        ? ok({ heartbeat_id: nextId })
        : json(400, {
            error: 'Invalid Heartbeat ID',
            error_msg: 'Invalid Heartbeat ID',
            heartbeat_id: nextId,
          })
    },
  }
}

/** `GET /data/order/{id}`: of the key's own wallet, however it ended. */
export function readOrder(accounts: TradingAccounts, key: ApiKey, id: string): Reply {
  const order = accounts.store.orders.get(id)
  const wallet = accounts.custody.walletOf(key.address as Address)
  if (!order || !isSameAddress(order.wallet, wallet)) return json(404, { error: 'order not found' })
  return ok(showOrder(accounts, order))
}

function showOrder({ store }: TradingAccounts, order: AccountOrder) {
  const trades = store.trades.all().filter(({ orderId }) => orderId === order.id)
  return toOpenOrder(
    order,
    trades.map(({ id }) => id),
  )
}

export function outcomeOf({ store }: Pick<TradingAccounts, 'store'>, trade: AccountTrade): string {
  const market = store.markets.get(trade.conditionId)
  return market?.outcomes[market.tokenIds.indexOf(trade.tokenId)] ?? ''
}

const newestFirst = <Row>(rows: readonly Row[]): Row[] => [...rows].reverse()

const isChosen = (query: URLSearchParams, name: string, value: string) =>
  !query.get(name) || query.get(name)?.toLowerCase() === value.toLowerCase()

const isChosenOrder = ({ id, conditionId, tokenId }: AccountOrder, query: URLSearchParams) =>
  isChosen(query, 'id', id) && isChosen(query, 'market', conditionId) && isChosen(query, 'asset_id', tokenId)

function isChosenTrade(trade: AccountTrade, query: URLSearchParams): boolean {
  const atS = Math.floor(trade.matchedMs / 1000)
  const bound = (name: string) => {
    const text = query.get(name)
    if (text && !/^\d{1,12}$/.test(text)) throw new Refusal(400, `invalid ${name}`)
    return text ? Number(text) : undefined
  }
  const [before, after] = [bound('before'), bound('after')]
  return (
    isChosen(query, 'id', trade.id) &&
    isChosen(query, 'market', trade.conditionId) &&
    isChosen(query, 'asset_id', trade.tokenId) &&
    isChosen(query, 'maker_address', trade.wallet) &&
    (before === undefined || atS < before) &&
    (after === undefined || atS > after)
  )
}
