import { z } from 'zod'
import { operator } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { listPositions, PositionList } from '../orders/position-list.ts'
import type { TradeServices } from './services.ts'

export const positions = defineEndpoint({
  id: 'trade.positions',
  method: 'GET',
  path: '/trade/positions',
  access: operator('trade'),
  summary: 'Open positions on five-minute BTC markets',
  description:
    'Shares of five-minute BTC markets that are held and worth something now, newest first, of both brokers whichever is chosen: each row names its own. One whose book is not known is listed with value null; one that has lost is not. All coins are in /admin/positions.',
  params: z.object({}),
  sample: {},
  response: PositionList,
  handle: (services: TradeServices) =>
    listPositions(services, ({ coin, valueE6 }) => coin === 'BTC' && valueE6 !== 0n),
})
