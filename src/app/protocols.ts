import { createA2a } from '../a2a/a2a.ts'
import { a2aGroup } from '../a2a/group.ts'
import type { Group } from '../catalog/group.ts'
import { bindGroup, type Handlers, joinHandlers } from '../catalog/handlers.ts'
import { createAdmitMessages } from '../http/json-rpc/admit-messages.ts'
import { type CallPorts, createCallProduct } from '../http/sell/call-product.ts'
import { mcpGroup } from '../mcp/group.ts'
import { createMcp } from '../mcp/mcp.ts'

/** The surfaces beside plain HTTP; each sells the same products through the same gate. */
export const protocolGroups: readonly Group<never>[] = [mcpGroup, a2aGroup]

export function bindProtocols(ports: CallPorts): Handlers {
  const { site, log, gate, clock, counters } = ports
  const admitMessages = createAdmitMessages(counters)
  const callProduct = createCallProduct(ports)
  const mcp = createMcp({ site, log, clock, callProduct, admitMessages, demoLimit: gate.demoLimit })
  const a2a = createA2a({ site, log, clock, callProduct, admitMessages })
  return joinHandlers([bindGroup(mcpGroup, mcp), bindGroup(a2aGroup, a2a)])
}
