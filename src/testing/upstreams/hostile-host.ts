import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import type { RequestLimit } from '../../config/providers.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createUpstream } from '../../upstreams/rules/create-upstream.ts'
import { createHostGates } from '../../upstreams/rules/host-gate.ts'
import { UpstreamError, type UpstreamRequest } from '../../upstreams/upstream.ts'
import { createKeptLog } from '../kept-log.ts'

const START_MS = Date.UTC(2026, 0, 5, 12)
export const Fine = z.object({ fine: z.boolean() })
export const FINE = '{"fine":true}'
export type Answer = (response: ServerResponse, request: IncomingMessage & { text: string }) => unknown

/** A host that does what the test says, and an upstream on a clock of the test. */
export async function startHostileHost({ limits }: { limits?: readonly RequestLimit[] } = {}) {
  const asked: string[] = []
  let answer: Answer = (response) => response.end(FINE)
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    asked.push(`${request.method} ${request.url} ${text}`.trim())
    answer(response, Object.assign(request, { text }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    upstream.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const clock = createManualClock(START_MS)
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`
  const gate = createHostGates({ clock, random: () => 0 }).of(baseUrl)
  const log = createKeptLog()
  const upstream = createUpstream({
    provider: 'gamma',
    baseUrl,
    clock,
    random: () => 0,
    gate,
    log,
    ...(limits && { limits }),
  })
  const ask = (request: Partial<UpstreamRequest<typeof Fine>> = {}) =>
    upstream.ask({ path: '/x', schema: Fine, ...request })
  const underWay = () => {
    const { requests, failures, limited, malformed } = upstream.counters()
    return requests - failures - limited - malformed
  }
  /** How it ends, while time passes whenever no request is under way. */
  const outcome = async (asking: Promise<unknown>): Promise<unknown> => {
    let ended: { with: unknown } | undefined
    const end = (result: unknown) => {
      ended = { with: result }
    }
    asking.then(end, end)
    const before = underWay()
    while (!ended) {
      await nextTurn()
      if (!ended && underWay() === before) clock.advance(50)
    }
    return ended.with
  }
  return {
    ...{ clock, upstream, ask, outcome, asked, server, gate, log },
    on: (next: Answer) => {
      answer = next
    },
    until: async (isTrue: () => boolean) => {
      while (!isTrue()) await nextTurn()
    },
  }
}
export const faultOf = (result: unknown) => (result instanceof UpstreamError ? result.fault : result)
