import { systemClock } from '../../core/time/clock.ts'
import { windowAt } from '../../core/time/window.ts'
import type { World } from '../world.ts'
import type { Arrangement, Fields } from './arranged.ts'
import { ask, type Shown } from './ask.ts'

type Found = (id: string) => Shown
export type Operator = { authorization: string }

/**
 * Buys, looks at what is held, sells it again. Near the ends of a window an order may be refused: its reply says so, and
 * what depends on it shows nothing.
 */
export async function arrangeOperatorCalls(world: World, find: Found, key: Operator): Promise<Arrangement> {
  const headers = { ...key }
  const made: Arrangement = {}
  const keep = async (id: string, sample?: Record<string, unknown>) => {
    const asked = { headers, ...(sample && { sample }) }
    const reply = await ask(world, find(id), asked)
    made[id] = { ...asked, reply }
    return reply.body as Fields
  }
  const logged = { ...find('trade.log_signal').sample, window_start: windowAt(systemClock.now()).startS }
  await keep('trade.log_signal', logged)
  await keep('trade.buy')
  const { positions = [] } = await keep('trade.positions')
  for (const id of ['admin.positions', 'admin.portfolio', 'admin.claim_wins']) await keep(id)
  const [held] = positions
  if (held) await keep('trade.close', { token_id: held.token_id, shares: 0 })
  await keep('admin.buy')
  await keep('trade.sell')
  await keep('admin.task')
  return made
}
