import type { Site } from '../../catalog/site.ts'
import { dataBlock, type Html } from '../frame/html.ts'

/** Everything that the scripts of the console may ask for. */
const ASKED: readonly string[] = [
  'admin.dashboard',
  'admin.usage',
  'admin.analytics',
  'admin.portfolio',
  'admin.positions',
  'admin.trading',
  'admin.trading_markets',
  'admin.trading_history',
  'admin.signals',
  'admin.trading_config',
  'admin.change_trading_config',
  'admin.command',
  'admin.reset_breaker',
  'admin.boss_signal',
  'admin.buy',
  'admin.claim_wins',
  'admin.taskboard',
  'admin.task',
  'trade.balance',
  'trade.book',
  'trade.positions',
  'trade.buy',
  'trade.sell',
  'trade.close',
  'service.health',
  'payments.status',
]

/** What is sold and given away by its address: an id says nothing to people. */
export function productsBlock({ catalog }: Site): Html {
  const addresses = catalog.products.map(({ id, method, path }) => [id, `${method} ${path}`])
  return dataBlock('products', JSON.stringify(Object.fromEntries(addresses)))
}

/** Addresses and scopes as the catalog has them, so that no script names one of its own. */
export function routesBlock({ catalog }: Site): Html {
  const routes = ASKED.map((id) => {
    const product = catalog.products.find((each) => each.id === id)
    if (!product) throw new Error(`the console asks for ${id}, which the catalog lacks`)
    const { method, path, paramsIn = 'query', access } = product
    return [id, { method, path, paramsIn, ...(access.kind === 'operator' && { scope: access.scope }) }]
  })
  return dataBlock('routes', JSON.stringify(Object.fromEntries(routes)))
}
