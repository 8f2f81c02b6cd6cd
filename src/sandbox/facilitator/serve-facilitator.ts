import type { FacilitatorClient } from '@x402/core/server'
import { z } from 'zod'
import { type Clock, sleep, systemClock } from '../../core/time/clock.ts'
import {
  type LoopbackReply,
  type LoopbackRequest,
  type LoopbackServer,
  startLoopbackServer,
} from '../loopback-server.ts'
import { type FacilitatorCall, type Fault, lie, refuse, type Tamper } from './faults.ts'

export type ServeFacilitatorInput = {
  /** 0, the default, takes a free one. */
  port?: number
  /** See the loopback server. */
  isShared?: boolean
  /** Whether a request is authorized; without it, all are. */
  auth?: (authorization: string | undefined, path: string) => boolean
  tamper?: Tamper
  clock?: Clock
}

type Payment = Parameters<FacilitatorClient['settle']>
/** `undefined` closes the connection without a reply. */
type Outcome = LoopbackReply | undefined
type Work = () => Promise<Outcome>

const Body = z.object({
  x402Version: z.int(),
  paymentPayload: z.looseObject({ accepted: z.looseObject({ network: z.string(), scheme: z.string() }) }),
  paymentRequirements: z.looseObject({ network: z.string(), scheme: z.string() }),
})

/** Serves a facilitator over HTTP in its real wire format, with the faults that a test asks for. */
export function serveFacilitator(
  facilitator: FacilitatorClient,
  {
    port,
    isShared,
    auth = () => true,
    tamper = () => undefined,
    clock = systemClock,
  }: ServeFacilitatorInput = {},
): Promise<LoopbackServer> {
  const answer = async ({ method, path, headers, body }: LoopbackRequest): Promise<Outcome> => {
    const route = findRoute(facilitator, method, path)
    if (!route) return json(404, { error: 'not found' })
    if (!auth(headers.authorization, path)) return json(401, { error: 'unauthorized' })
    const call = { path, body: body.toString() }
    return withFault(call, () => route(call.body), tamper, clock)
  }
  return startLoopbackServer({ port, isShared, answer })
}

function findRoute(facilitator: FacilitatorClient, method: string, path: string) {
  const paid = (run: (...payment: Payment) => Promise<unknown>) => async (body: string) => {
    const payment = parsePayment(body)
    return payment ? json(200, await run(...payment)) : json(400, { error: 'invalid_payload' })
  }
  const routes: Record<string, (body: string) => Promise<Outcome>> = {
    'POST /verify': paid((payload, requirements) => facilitator.verify(payload, requirements)),
    'POST /settle': paid((payload, requirements) => facilitator.settle(payload, requirements)),
    'GET /supported': async () => json(200, await facilitator.getSupported()),
  }
  return routes[`${method} ${path}`]
}

function parsePayment(body: string): Payment | undefined {
  try {
    const { paymentPayload, paymentRequirements } = Body.parse(JSON.parse(body))
    // All other fields are checked by the scheme, as they are for a payload that came in process.
    return [paymentPayload, paymentRequirements] as unknown as Payment
  } catch {
    return undefined
  }
}

async function withFault(call: FacilitatorCall, work: Work, tamper: Tamper, clock: Clock): Promise<Outcome> {
  const fault = tamper(call)
  if (!fault) return guarded(work)
  switch (fault.kind) {
    case 'drop_request':
      return undefined
    case 'fail_before':
      return json(500, { error: 'internal error' })
    case 'lie_success':
      return json(200, lie(call, fault.kind))
    case 'busy':
      return {
        ...json(429, { error: 'too many requests' }),
        headers: { 'retry-after': String(fault.retryAfterS) },
      }
    case 'refuse':
      return json(200, refuse(call, fault.reason))
    case 'slow_work':
      await sleep(clock, fault.ms)
      return guarded(work)
    default:
      return applyAfter(fault, call, await guarded(work), clock)
  }
}

/** Applies a fault to the reply, after the work is done. */
async function applyAfter(
  fault: Fault,
  call: FacilitatorCall,
  reply: Outcome,
  clock: Clock,
): Promise<Outcome> {
  switch (fault.kind) {
    case 'drop_reply':
      return undefined
    case 'fail_after':
      return json(500, { error: 'internal error' })
    case 'garbage':
      return { status: 200, body: '<html>bad gateway' }
    case 'lie_failure':
      return json(200, lie(call, fault.kind))
    case 'slow_reply':
      await sleep(clock, fault.ms)
      return reply
    default:
      return reply
  }
}

/** An error of the facilitator is a 500. */
async function guarded(work: Work): Promise<Outcome> {
  try {
    return await work()
  } catch (error) {
    return json(500, { error: error instanceof Error ? error.message : String(error) })
  }
}

function json(status: number, value: unknown): LoopbackReply {
  return { status, body: JSON.stringify(value) }
}
