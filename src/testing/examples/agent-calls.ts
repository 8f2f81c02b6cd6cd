import type { World } from '../world.ts'
import { type Arrangement, bodyOf, jsonInit } from './arranged.ts'

/** One task that is done, and one that waits for its payment and is canceled. */
export async function arrangeAgentCalls(world: World): Promise<Arrangement> {
  const send = (headers: Record<string, string> = {}) => {
    const parts = [{ data: { skill: 'market.price', params: { token: 'BTC' } } }]
    const message = { messageId: 'm-1', role: 'ROLE_USER', parts }
    return bodyOf(world.send('POST', '/a2a/message:send', jsonInit({ message }, headers)))
  }
  const done = await send()
  const waiting = await send({ 'x-demo': 'off' })
  return {
    'a2a.task': { sample: { id: done.task.id } },
    'a2a.cancel': { sample: { id: `${waiting.task.id}:cancel` } },
  }
}
