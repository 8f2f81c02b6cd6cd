import { Agent, request } from 'node:http'
import { systemClock } from '../../src/core/time/clock.ts'
import type { Member } from './member.ts'

/** How a request ended: its status, or the fault of its connection. */
export type BalancedReply = { status: number; text: string } | { fault: string }
/** As a load balancer: one backend after the other, those alone that say they are ready, and nothing is sent twice. */
export type Balancer = {
  send(path: string, headers?: Record<string, string>): Promise<BalancedReply & { at: string }>
  stop(): void
}

/** A balancer of a cloud asks every few seconds and is given so long to drain; here both are short. */
const PROBE_EVERY_MS = 100
/** Who says that he is not ready gets nothing more; who says nothing is asked so often first. */
const SILENT_PROBES = 3
const ANSWER_LIMIT_MS = 20_000

export function openBalancer(members: readonly Member[]): Balancer {
  // No bound: what waits for a connection here would be sent long after its backend was chosen.
  const agent = new Agent({ keepAlive: true })
  const ready = new Set<Member>(members)
  let turn = 0
  const probing = new Set<Member>()
  const silent = new Map<Member, number>()
  const probe = async (member: Member) => {
    if (probing.has(member)) return
    probing.add(member)
    const status = await member.probe('/readyz')
    probing.delete(member)
    silent.set(member, status === undefined ? (silent.get(member) ?? 0) + 1 : 0)
    if (status === 200) ready.add(member)
    else if (status !== undefined || (silent.get(member) ?? 0) >= SILENT_PROBES) ready.delete(member)
  }
  const stopProbing = systemClock.every(PROBE_EVERY_MS, () => {
    for (const member of members) void probe(member)
  })
  return {
    async send(path, headers = {}) {
      const open = members.filter((member) => ready.has(member))
      const member = open[turn++ % Math.max(1, open.length)]
      if (!member) return { fault: 'no backend is ready', at: 'balancer' }
      return { ...(await exchange(agent, `${member.url}${path}`, headers)), at: member.name }
    },
    stop() {
      stopProbing()
      agent.destroy()
    },
  }
}

function exchange(agent: Agent, url: string, headers: Record<string, string>): Promise<BalancedReply> {
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) => resolve({ fault: error.code ?? error.message })
    const call = request(url, { agent, headers, timeout: ANSWER_LIMIT_MS }, (reply) => {
      let text = ''
      reply.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      reply.on('error', fail)
      reply.on('aborted', () => resolve({ fault: 'cut off' }))
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text }))
    })
    call.on('timeout', () => call.destroy(new Error('no answer in time')))
    call.on('error', fail)
    call.end()
  })
}
