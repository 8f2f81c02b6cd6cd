import { toColon } from '../../harness/servers/to-colon.ts'
import { CASES } from '../cases.ts'
import type { Job } from '../job.ts'

const PLACEHOLDER = '{"ok":true}'

/** Our routes as Hono and Express write them (`/price/:token`): the free market one with our body, the others short. */
export function mirroredRoutes({ routes, replies }: Job): { pattern: string; body: string }[] {
  const market = CASES.find(({ id }) => id === 'market')
  const marketPath = market?.path.split('?')[0]
  return routes.map(({ path }) => ({
    pattern: toColon(path),
    body: path === marketPath ? replies.market.body : PLACEHOLDER,
  }))
}
