import { V1_NAMES } from '../../payments/challenge/terms.ts'
import type { Payable } from '../../payments/payable/payable.ts'
import { isoTime } from '../../products/fields.ts'
import type { HealthCheck } from '../../products/service/services.ts'
import { type Dependency, ShownFault } from './watch.ts'

/** One small request to a node for each network: paused tokens and closed accounts are rare and last. */
const EVERY_MS = 15_000

export function usdcDependencies(payable: Payable): Dependency[] {
  return payable.networks.map((network) => ({
    name: `usdc-${V1_NAMES.get(network) ?? network}`,
    where: {},
    trouble: 'cannot be asked',
    everyMs: EVERY_MS,
    async probe() {
      await payable.look(network)
      const closure = payable.closureOf(network)
      if (closure) throw new ShownFault(closure.why)
    },
  }))
}

/** With one network left buyers can still pay; with none nobody can, whatever the chains and facilitators say. */
export function usdcCheck({ networks, closureOf }: Pick<Payable, 'networks' | 'closureOf'>): HealthCheck {
  const closed = networks.filter((network) => closureOf(network))
  const described = networks.map((network) => {
    const closure = closureOf(network)
    const name = V1_NAMES.get(network) ?? network
    return closure
      ? `${name}: ${closure.why}, since ${isoTime(closure.sinceMs)}`
      : `${name}: not known to be closed`
  })
  return {
    name: 'usdc',
    needed: true,
    state: closed.length === 0 ? 'ok' : closed.length < networks.length ? 'degraded' : 'down',
    latencyMs: null,
    ageMs: null,
    detail: described.join(', ') || 'none is offered',
  }
}
