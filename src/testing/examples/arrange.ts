import type { World } from '../world.ts'
import { arrangeAgentCalls } from './agent-calls.ts'
import type { Arranged, Arrangement } from './arranged.ts'
import { ask, isShown, type Reply, type Shown } from './ask.ts'
import { arrangeOperatorCalls, type Operator } from './operator-calls.ts'
import { arrangeWalletCalls } from './wallet-calls.ts'

/** Everything whose reply documents show, in the order in which they list it. */
export const shownBy = ({ app }: World): readonly Shown[] => app.site.catalog.endpoints.filter(isShown)

/** Real calls after which every sample has something to show. */
export async function arrange(world: World, key: Operator): Promise<Arrangement> {
  const shown = shownBy(world)
  const find = (id: string) => {
    const found = shown.find((endpoint) => endpoint.id === id)
    if (!found) throw new Error(`nothing here has the id ${id}`)
    return found
  }
  const posted = { reply: await ask(world, find('community.watercooler_post')) }
  return {
    'community.watercooler_post': posted,
    ...(await arrangeOperatorCalls(world, find, key)),
    ...(await arrangeWalletCalls(world)),
    ...(await arrangeAgentCalls(world)),
  }
}

let clients = 0

/** How the endpoint answers now, or answered when it was arranged. Each call is a client of its own: its free calls are left. */
export async function replyTo(
  world: World,
  endpoint: Shown,
  key: Operator,
  arranged: Arranged = {},
): Promise<Reply> {
  if (arranged.reply) return arranged.reply
  const own = endpoint.access.kind === 'operator' ? key : {}
  const headers = { 'x-forwarded-for': `192.0.2.${++clients}`, ...own, ...arranged.headers }
  return ask(world, endpoint, { ...arranged, headers })
}
