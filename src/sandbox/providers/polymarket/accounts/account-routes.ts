import type { Address } from 'viem'
import { POLYMARKET_CONTRACTS } from '../../../../upstreams/polymarket/relayer/addresses.ts'
import { DEPOSIT_WALLET_TYPE } from '../../../../upstreams/polymarket/trading/exchange-order.ts'
import { isSameAddress } from '../../../prediction/accounts/api-keys.ts'
import { Refusal } from '../../../prediction/accounts/refusal.ts'
import type { AccountOrder, AccountTrade, ApiKey } from '../../../prediction/accounts/rows.ts'
import type { TradingAccounts } from '../../../prediction/accounts/trading-accounts.ts'
import { isObject } from '../../json-frame.ts'
import { json, ok, type Reply } from '../../reply.ts'
import { toOpenOrder, toUserTrade } from './format.ts'
import { toPage } from './pages.ts'

export type AccountRoute = (key: ApiKey, query: URLSearchParams, body: unknown) => Promise<Reply> | Reply

const UINT256_MAX = 2n ** 256n - 1n

/** Routes that read what an account has, by method and path. */
export function createAccountRoutes(accounts: TradingAccounts): Readonly<Record<string, AccountRoute>> {
  const { custody, store, desk } = accounts
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
    'GET /balance-allowance': async (key, query) => ok(await readBalance(accounts, key, query)),
    async 'GET /balance-allowance/update'(key, query) {
      await readBalance(accounts, key, query)
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

async function readBalance({ custody }: TradingAccounts, key: ApiKey, query: URLSearchParams) {
  const type = query.get('signature_type') ?? '0'
  if (!/^[0-3]$/.test(type)) throw new Refusal(400, 'invalid signature_type')
  const owner = key.address as Address
  const wallet = Number(type) === DEPOSIT_WALLET_TYPE ? custody.walletOf(owner) : owner
  if (query.get('asset_type') === 'COLLATERAL') {
    const [balance, allowances] = await Promise.all([
      custody.collateralOf(wallet),
      custody.allowancesOf(wallet),
    ])
    const texts = Object.entries(allowances).map(([spender, amount]) => [spender, amount.toString()])
    return { balance: balance.toString(), allowances: Object.fromEntries(texts) }
  }
  const tokenId = query.get('token_id') ?? ''
  if (
    query.get('asset_type') !== 'CONDITIONAL' ||
    !/^\d{1,78}$/.test(tokenId) ||
    BigInt(tokenId) > UINT256_MAX
  )
    throw new Refusal(400, 'assetId invalid')
  const [[held = 0n], isAllowed] = await Promise.all([
    custody.sharesOf(wallet, [BigInt(tokenId)]),
    custody.mayMoveShares(wallet),
  ])
  const allowance = isAllowed ? UINT256_MAX : 0n
  return { balance: held.toString(), allowances: { [POLYMARKET_CONTRACTS.exchange]: allowance.toString() } }
}
