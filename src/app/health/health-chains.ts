import { errorCode } from '../../core/describe-error.ts'
import { JsonRpcRefusal, NodeBusyError, NodeStatusError } from '../../payments/chain/json-rpc.ts'
import type { ChainNode } from '../../payments/chain/nodes/chain-node.ts'
import type { ChainNodes } from '../../payments/chain/nodes/chain-nodes.ts'
import { NodeFault } from '../../payments/chain/nodes/node-kind.ts'
import { isoTime } from '../../products/fields.ts'
import type { HealthCheck } from '../../products/service/services.ts'

/** One check for each chain; `ageMs` is that of the newest head. Buyers can still pay on the other, so none is needed. */
export function chainChecks(chains: readonly ChainNodes[]): HealthCheck[] {
  return chains.filter(({ all }) => all.length > 0).map(chainCheck)
}

/** With one of two chains buyers can still pay; with none no payment can be confirmed. */
export function nodesCheck(chains: readonly ChainNodes[]): HealthCheck {
  const found = chains.flatMap(({ name, all }) =>
    all.map((node, at) => ({ name: all.length === 1 ? name : `${name} ${at + 1}`, ...node.health() })),
  )
  const well = found.filter(({ trouble }) => trouble === undefined)
  return {
    name: 'nodes',
    needed: true,
    state: well.length === found.length ? 'ok' : well.length > 0 ? 'degraded' : 'down',
    latencyMs: most(well.flatMap(({ latencyMs }) => latencyMs ?? [])),
    ageMs: most(found.flatMap(({ headAgeMs }) => headAgeMs ?? [])),
    detail:
      found
        .map(({ name, trouble }) => `${name}: ${trouble ? describeFault(trouble.error) : 'well'}`)
        .join(', ') || 'none is offered',
  }
}

const most = (values: readonly number[]) => (values.length === 0 ? null : Math.max(...values))

function chainCheck({ name, all }: ChainNodes): HealthCheck {
  const found = all.map((node) => node.health())
  const well = found.filter(({ trouble }) => trouble === undefined)
  const heads = (well.length > 0 ? well : found).flatMap(({ headAgeMs }) => headAgeMs ?? [])
  const latencies = well.flatMap(({ latencyMs }) => latencyMs ?? [])
  const faults = found.flatMap((node, at) =>
    node.trouble ? [describeTrouble(node.trouble, all.length === 1 ? '' : `node ${at + 1} `)] : [],
  )
  return {
    name: `chain-${name}`,
    needed: false,
    state: well.length === all.length ? 'ok' : well.length > 0 ? 'degraded' : 'down',
    latencyMs: latencies.length === 0 ? null : Math.min(...latencies),
    ageMs: heads.length === 0 ? null : Math.min(...heads),
    detail: [`${well.length} of ${all.length} nodes well`, ...faults].join(', '),
  }
}

type Trouble = NonNullable<ReturnType<ChainNode['health']>['trouble']>

const describeTrouble = ({ error, sinceMs }: Trouble, which: string) =>
  `${which}failing since ${isoTime(sinceMs)}: ${describeFault(error)}`

/** No more than everybody may see: neither host nor key. */
function describeFault(error: unknown): string {
  if (error instanceof NodeFault) return error.message
  if (error instanceof NodeStatusError) return `answers ${error.status}`
  if (error instanceof NodeBusyError) return 'is asked too much'
  if (error instanceof JsonRpcRefusal) return 'refuses what a purchase needs'
  const code = errorCode(error)
  return code === undefined ? 'does not answer' : `does not answer (${code})`
}
