import { sleep, systemClock } from '../../src/core/time/clock.ts'
import type { Seeded } from '../../src/testing/seeded.ts'
import type { Fleet } from './fleet.ts'
import type { LeaderWatch } from './leader-watch.ts'
import { until } from './until.ts'

export const FAULTS = ['engine killed', 'Redis restarted', 'PostgreSQL restarted', 'api killed'] as const
export type FaultKind = (typeof FAULTS)[number]
export type FaultReport = {
  kind: FaultKind
  /** From the fault until every api sells again and every engine is there. */
  backMs: number
  /** From the kill, or from the first answer of the database, until a later term; undefined where nobody had to take over. */
  leaderMs: number | undefined
}
export type FaultTools = { fleet: Fleet; watch: LeaderWatch; seeded: Seeded }

/** Far beyond what a takeover may take: late is a violation, never is another. */
const TERM_WITHIN_MS = 60_000
const BACK_WITHIN_MS = 120_000
const LONGEST_OUTAGE_MS = 3_000
const PRODUCT = '/price/BTC'

/** Does it, and waits until the fleet is whole again. */
export async function causeFault(kind: FaultKind, tools: FaultTools): Promise<FaultReport> {
  const startedMs = Date.now()
  const leaderMs = await CAUSES[kind](tools)
  await untilWhole(tools.fleet)
  return { kind, leaderMs, backMs: Date.now() - startedMs }
}

const CAUSES: Record<FaultKind, (tools: FaultTools) => Promise<number | undefined>> = {
  async 'engine killed'({ fleet, watch }) {
    // On a busy machine the lead may just be changing hands by itself.
    await fleet.untilReady(BACK_WITHIN_MS)
    const leader = await fleet.leader()
    if (!leader) throw new Error('no engine leads')
    const term = newestTerm(watch)
    const killedMs = Date.now()
    await leader.kill()
    return (await watch.after(term, TERM_WITHIN_MS)).sinceMs - killedMs
  },
  async 'Redis restarted'({ fleet, seeded }) {
    await fleet.redis.kill()
    await outage(seeded)
    await fleet.redis.start()
    return undefined
  },
  async 'PostgreSQL restarted'({ fleet, watch, seeded }) {
    const term = newestTerm(watch)
    await fleet.postgres.stop(seeded.pick(['fast', 'kill']))
    await outage(seeded)
    await fleet.postgres.start()
    const upMs = Date.now()
    return Math.max(0, (await watch.after(term, TERM_WITHIN_MS)).sinceMs - upMs)
  },
  async 'api killed'({ fleet, seeded }) {
    const [first, ...rest] = fleet.apis
    if (!first) throw new Error('there is no api')
    await seeded.pick([first, ...rest]).kill()
    return undefined
  },
}

const outage = (seeded: Seeded) => sleep(systemClock, seeded.between(200, LONGEST_OUTAGE_MS))
const newestTerm = ({ reigns }: LeaderWatch) => reigns.at(-1)?.term ?? 0

/** Every api has fresh prices, and a second engine waits. */
export async function untilWhole(fleet: Fleet): Promise<void> {
  await fleet.untilReady(BACK_WITHIN_MS)
  const isThere = async () =>
    (await Promise.all(fleet.engines.map((engine) => engine.probe('/livez')))).every((s) => s === 200) &&
    (await Promise.all(fleet.apis.map(({ url }) => gives(url)))).every(Boolean)
  await until('every api with prices and every engine', isThere, BACK_WITHIN_MS)
}

let asked = 0

/** Asked for free, each time by a client that nobody has seen before. */
async function gives(url: string): Promise<boolean> {
  asked++
  const headers = { 'X-Forwarded-For': `10.251.${(asked >> 8) & 255}.${asked & 255}` }
  return fetch(`${url}${PRODUCT}`, { headers, signal: AbortSignal.timeout(BACK_WITHIN_MS) }).then(
    async (reply) => {
      await reply.text()
      return reply.status === 200
    },
    () => false,
  )
}
