import type { Clock } from '../../core/time/clock.ts'
import { V1_NAMES } from '../../payments/challenge/terms.ts'
import type { FacilitatorPool } from '../../payments/facilitators/facilitators.ts'
import type { FacilitatorHealth } from '../../payments/facilitators/monitored-facilitator.ts'
import { isoTime } from '../../products/fields.ts'
import type { HealthCheck } from '../../products/service/services.ts'
import { type Dependency, ShownFault } from './watch.ts'

const EVERY_MS = 5_000
/** One that did not tell what it supports is asked again after this time, or its return would be known minutes later. */
const ASK_AGAIN_MS = 15_000
const NONE_OF_OURS = 'settles on none of our networks'
type Networks = FacilitatorHealth['networks']
type Known = Pick<FacilitatorHealth, 'networks' | 'supportedFault'>

/**
 * Whether it settles on a network of ours, as far as anybody knows. Once a breaker is half open the gate may try it
 * again, but nothing was settled there since it opened: a pause that has passed makes nobody well.
 */
export const settles = ({ networks, supportedFault }: Known): boolean =>
  networks.some((network) => network.settle === 'closed' && checks(network, supportedFault))

/** After a pause it is enough that it answers anything. */
const checks = ({ verify }: Networks[number], supportedFault: Known['supportedFault']): boolean =>
  verify === 'closed' || (verify === 'half_open' && supportedFault === undefined)

/** Asks only those that gave no answer: the pool asks all of them, in a rhythm of its own. */
export function facilitatorDependencies(
  pool: Pick<FacilitatorPool, 'health' | 'refresh'>,
  clock: Clock,
): Dependency[] {
  const isAskedAgain = ({ supportedFault, lastFaultAtMs = 0 }: Partial<FacilitatorHealth>) =>
    supportedFault !== undefined && Math.abs(clock.now() - lastFaultAtMs) >= ASK_AGAIN_MS
  return pool.health().map(({ name }, index) => ({
    name: 'facilitator',
    where: { host: name },
    trouble: 'does not answer',
    everyMs: EVERY_MS,
    async probe() {
      if (isAskedAgain(pool.health()[index] ?? {})) await pool.refresh()
      const { supportedFault, lastFault, networks = [] } = pool.health()[index] ?? {}
      if (supportedFault !== undefined) throw new ShownFault(supportedFault)
      if (!settles({ networks, supportedFault })) throw new ShownFault(lastFault ?? `it ${NONE_OF_OURS}`)
    },
  }))
}

/** One that settles is enough; none means that nobody can pay, while free calls and documents go on. */
export function facilitatorsCheck(members: readonly FacilitatorHealth[]): HealthCheck {
  const well = members.filter(settles)
  const isAllWell =
    well.length === members.length &&
    well.every(
      ({ networks, supportedFault }) =>
        !supportedFault && networks.every((each) => settles({ networks: [each], supportedFault })),
    )
  const latencies = well.flatMap(({ latencyMs }) => latencyMs ?? [])
  const verb = well.length === 1 || members.length === 1 ? 'settles' : 'settle'
  const count = `${well.length} of ${members.length} ${verb}`
  const lacks = members.flatMap((member) => describeLacks(member).map((lack) => `${member.name} ${lack}`))
  return {
    name: 'facilitators',
    needed: true,
    state: well.length === 0 ? 'down' : isAllWell ? 'ok' : 'degraded',
    latencyMs: latencies.length === 0 ? null : Math.min(...latencies),
    ageMs: null,
    detail: lacks.length === 0 ? count : `${count}${well.length === 0 ? ':' : ', but'} ${lacks.join(', ')}`,
  }
}

/** Faults that are over are not among them: `/x402/status` has the last one. */
function describeLacks(member: FacilitatorHealth): string[] {
  const { networks, supportedFault } = member
  const since = sinceLastFault(member)
  const unsettled = namesOf(networks.filter(({ settle }) => settle !== 'closed'))
  const unchecked = namesOf(networks.filter((network) => !checks(network, supportedFault)))
  return [
    ...(supportedFault ? [`does not tell what it supports (${supportedFault})`] : []),
    ...(networks.length === 0 && !supportedFault ? [NONE_OF_OURS] : []),
    ...(unchecked ? [`has not checked on ${unchecked} ${since}`] : []),
    ...(unsettled ? [`has not settled on ${unsettled} ${since}`] : []),
  ]
}

const namesOf = (networks: Networks) =>
  networks.map(({ network }) => V1_NAMES.get(network) ?? network).join(' and ')

const sinceLastFault = ({ lastFault, lastFaultAtMs }: FacilitatorHealth) =>
  lastFaultAtMs === undefined ? 'yet' : `since ${isoTime(lastFaultAtMs)} (${lastFault})`
