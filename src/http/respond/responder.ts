import type { IncomingMessage } from 'node:http'
import type { ClientKey } from '../../access/client-key.ts'
import type { OperatorAudit } from '../../access/operator-audit.ts'
import type { IdentifyOperator } from '../../access/operator-check.ts'
import type { Callers } from '../../catalog/caller.ts'
import type { Replies } from '../../catalog/encoded-reply.ts'
import type { Handlers } from '../../catalog/handlers.ts'
import type { RateCounters } from '../../catalog/rate-limit.ts'
import type { Site } from '../../catalog/site.ts'
import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Gate } from '../../payments/gate/gate.ts'
import type { Reply } from '../reply.ts'
import type { Incoming } from '../request/incoming.ts'
import type { EventStreams } from './event-streams.ts'

/** Answers the requests of one address. */
export type Responder = (incoming: Incoming) => Reply | Promise<Reply>

/** Each throws unless the request carries its credential. An access without a check stops the start. */
export type AccessChecks = {
  operator?: { identify: IdentifyOperator; audit: OperatorAudit }
  wallet?: (request: IncomingMessage) => Callers['wallet'] | Promise<Callers['wallet']>
  payer?: (request: IncomingMessage) => Callers['payer'] | Promise<Callers['payer']>
}

export type ResponderPorts = {
  clock: Clock
  log: Log
  site: Site
  handlers: Handlers
  replies: Replies
  gate: Gate
  clientKey: ClientKey
  checks: AccessChecks
  counters: RateCounters
  streams: EventStreams
  /** Answers the operator's calls where another process does what they ask for. */
  passOn?: Responder | undefined
}
