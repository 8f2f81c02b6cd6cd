import { Refusal } from '../../../prediction/accounts/refusal.ts'
import type { ApiKey } from '../../../prediction/accounts/rows.ts'
import type { TradingAccounts } from '../../../prediction/accounts/trading-accounts.ts'
import type { Peer } from '../../peers.ts'
import { json, ok, type ProviderRequest, type Reply } from '../../reply.ts'
import { createAccountRoutes, readOrder } from './account-routes.ts'
import { readL1 } from './l1-auth.ts'
import { readL2 } from './l2-auth.ts'
import { createOrderBudget } from './order-budget.ts'
import { createOrderRoutes, orderCountOf, refusalReply } from './order-routes.ts'
import { createUserSockets } from './user-socket.ts'

/** The part of the order book's server that asks who calls. */
export type AccountsServer = {
  /** Undefined: no such address here. */
  rest(request: ProviderRequest): Promise<Reply | undefined>
  /** The user channel. */
  socketAt(path: string): ((peer: Peer) => void) | undefined
  close(): void
}

const ORDER_PATH = /^\/data\/order\/(0x[0-9a-fA-F]{64})$/

export function createAccountsServer(accounts: TradingAccounts): AccountsServer {
  const { venue, keys } = accounts
  const orderRoutes = createOrderRoutes(accounts)
  const accountRoutes = createAccountRoutes(accounts)
  const hasBudget = createOrderBudget(venue.nowMs)
  const sockets = createUserSockets(accounts)
  const keyOf = (request: ProviderRequest) => readL2(request, keys, venue.nowMs())

  const answerOrder = async (route: string, request: ProviderRequest) => {
    const key = keyOf(request)
    const body = readJson(request)
    if (!hasBudget(key.address, orderCountOf(body))) return json(429, { error: 'Too Many Requests' })
    return orderRoutes[route]?.(key, body)
  }
  const answer = async (request: ProviderRequest): Promise<Reply | undefined> => {
    const route = `${request.method} ${request.path}`
    if (Object.hasOwn(orderRoutes, route)) return answerOrder(route, request)
    if (Object.hasOwn(accountRoutes, route)) {
      const key = keyOf(request)
      return accountRoutes[route]?.(key, request.query, readJson(request))
    }
    if (request.path.startsWith('/auth/')) return answerKeys(accounts, route, request, keyOf)
    const order = request.method === 'GET' ? ORDER_PATH.exec(request.path) : null
    if (order) return readOrder(accounts, keyOf(request), order[1]?.toLowerCase() ?? '')
    return undefined
  }
  return {
    rest: (request) => answer(request).catch(refusalReply),
    socketAt: (path) => (path === '/ws/user' ? sockets.accept : undefined),
    close: sockets.close,
  }
}

async function answerKeys(
  { keys, venue }: TradingAccounts,
  route: string,
  request: ProviderRequest,
  keyOf: (request: ProviderRequest) => ApiKey,
): Promise<Reply | undefined> {
  switch (route) {
    case 'POST /auth/api-key':
    case 'GET /auth/derive-api-key': {
      const { address, nonce } = await readL1(request.headers, venue.nowMs())
      const key = request.method === 'POST' ? keys.create(address, nonce) : keys.derive(address, nonce)
      return ok({ apiKey: key.id, secret: key.secret, passphrase: key.passphrase })
    }
    case 'GET /auth/api-keys':
      return ok({ apiKeys: keys.of(keyOf(request).address).map(({ id }) => id) })
    case 'DELETE /auth/api-key':
      keys.delete(keyOf(request).id)
      return ok('OK')
    default:
      return undefined
  }
}

function readJson({ body }: ProviderRequest): unknown {
  if (body.length === 0) return undefined
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new Refusal(400, 'Invalid payload')
  }
}
