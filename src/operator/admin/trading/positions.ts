import { z } from 'zod'
import { operator } from '../../../catalog/access.ts'
import { defineEndpoint } from '../../../catalog/endpoints/endpoint.ts'
import { listPositions, PositionList } from '../../orders/position-list.ts'
import type { AdminServices } from '../services.ts'

export const adminPositions = defineEndpoint({
  id: 'admin.positions',
  method: 'GET',
  path: '/admin/positions',
  access: operator('admin'),
  summary: 'Everything the account holds, of all coins',
  description:
    'Shares held on five-minute markets of all coins, newest first, of both brokers whichever is chosen: each row names its own. Also those that have lost and are not settled yet. POST /trade/close sells any of them.',
  params: z.object({}),
  sample: {},
  response: PositionList,
  handle: (services: AdminServices) => listPositions(services, () => true),
})
