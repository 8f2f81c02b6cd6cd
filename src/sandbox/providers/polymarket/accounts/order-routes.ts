import { z } from 'zod'
import { isSameAddress } from '../../../prediction/accounts/api-keys.ts'
import { Refusal } from '../../../prediction/accounts/refusal.ts'
import type { ApiKey } from '../../../prediction/accounts/rows.ts'
import type { TradingAccounts } from '../../../prediction/accounts/trading-accounts.ts'
import { json, ok, type Reply } from '../../reply.ts'
import { toPostReply } from './format.ts'
import { parsePostedOrder } from './wire-order.ts'

export type OrderRoute = (key: ApiKey, body: unknown) => Promise<Reply> | Reply

const MAX_ORDERS_PER_CALL = 15
const MAX_CANCELS_PER_CALL = 1_000
const OrderId = z.string().max(100)
const CancelOne = z.object({ orderID: OrderId })
const CancelMany = z.array(OrderId).max(MAX_CANCELS_PER_CALL)
const CancelMarket = z.object({
  market: z.string().max(100).default(''),
  asset_id: z.string().max(100).default(''),
})

/** Routes that change orders, by method and path. The body is what the JSON of the request says. */
export function createOrderRoutes({
  desk,
}: Pick<TradingAccounts, 'desk'>): Readonly<Record<string, OrderRoute>> {
  const place = async (key: ApiKey, json: unknown) => {
    const { owner, posted } = parsePostedOrder(json)
    if (owner !== key.id) throw new Refusal(400, 'the order owner has to be the owner of the API KEY')
    return toPostReply(await desk.place(key, posted))
  }
  return {
    'POST /order': async (key, body) => ok(await place(key, body)),
    async 'POST /orders'(key, body) {
      if (!Array.isArray(body) || body.length === 0 || body.length > MAX_ORDERS_PER_CALL)
        throw new Refusal(400, `Invalid order payload: 1 to ${MAX_ORDERS_PER_CALL} orders`)
      const replies: unknown[] = []
      for (const one of body) replies.push(await place(key, one).catch(toFailedReply))
      return ok(replies)
    },
    'DELETE /order': (key, body) => ok(desk.cancel(key, [parse(CancelOne, body).orderID])),
    'DELETE /orders': (key, body) => ok(desk.cancel(key, parse(CancelMany, body))),
    'DELETE /cancel-all': (key) =>
      ok(
        desk.cancel(
          key,
          desk.open(key).map(({ id }) => id),
        ),
      ),
    'DELETE /cancel-market-orders'(key, body) {
      const { market, asset_id } = parse(CancelMarket, body)
      const chosen = desk
        .open(key)
        .filter(({ conditionId }) => market === '' || isSameAddress(conditionId, market))
        .filter(({ tokenId }) => asset_id === '' || tokenId === asset_id)
      return ok(
        desk.cancel(
          key,
          chosen.map(({ id }) => id),
        ),
      )
    },
  }
}

/** How many orders a request counts for. */
export const orderCountOf = (body: unknown): number => (Array.isArray(body) ? Math.max(1, body.length) : 1)

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw new Refusal(400, 'Invalid payload')
  return parsed.data
}

/** In a list of orders each one has a reply of its own. */
function toFailedReply(error: unknown) {
  if (!(error instanceof Refusal)) throw error
  return {
    errorMsg: error.message,
    orderID: '',
    takingAmount: '',
    makingAmount: '',
    status: '',
    success: false,
  }
}

export const refusalReply = (error: unknown): Reply => {
  if (error instanceof Refusal) return json(error.status, { error: error.message })
  throw error
}
