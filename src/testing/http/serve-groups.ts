import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClientKey, createPeerOf, customerOf } from '../../access/client-key.ts'
import { createHashedClient } from '../../access/hashed-client.ts'
import { createRateCounters } from '../../access/rate-counters.ts'
import { createOperatorAccess } from '../../app/operator-access.ts'
import { createCatalog } from '../../catalog/catalog.ts'
import { createReplies } from '../../catalog/encoded-reply.ts'
import type { Group } from '../../catalog/group.ts'
import { bindGroup } from '../../catalog/handlers.ts'
import { createPaidMint, type PaidMint } from '../../catalog/paid.ts'
import type { RateCounters } from '../../catalog/rate-limit.ts'
import type { Site } from '../../catalog/site.ts'
import { type Log, silentLog } from '../../core/log.ts'
import { secret } from '../../core/secret.ts'
import { ServiceError } from '../../core/service-error.ts'
import { type Clock, systemClock } from '../../core/time/clock.ts'
import { discoveryGroup } from '../../discovery/group.ts'
import type { Aside } from '../../http/aside.ts'
import { createCutOffs } from '../../http/connection/cut-offs.ts'
import { drain } from '../../http/connection/drain.ts'
import { listen } from '../../http/listen.ts'
import { createEventStreams } from '../../http/respond/event-streams.ts'
import type { AccessChecks } from '../../http/respond/responder.ts'
import { createHttpServer, serveCatalog } from '../../http/server.ts'
import type { OperatorBook } from '../../ledger/ports/operator-book.ts'
import type { UsageLog } from '../../ledger/ports/usage-log.ts'
import { createGate, type Gate } from '../../payments/gate/gate.ts'
import { createHandedOut } from '../../payments/gate/handed-out.ts'
import { testSite } from '../discovery/sample-site.ts'
import {
  createMemoryOperatorBook,
  createMemoryOperatorRows,
} from '../ledger/operator/memory-operator-book.ts'
import { withoutBounds } from '../payments/without-bounds.ts'

export const OPERATOR_KEY = 'the-operator-of-this-test'
export const WALLET_TOKEN = 'a-token-of-this-test'

type Options = {
  clock?: Clock
  checks?: AccessChecks
  /** Holds the operator's keys beside `OPERATOR_KEY`, and the audit. */
  book?: OperatorBook
  /** Free calls of what is paid, through the real gate. Without them nobody gets anything that is paid. */
  demoCalls?: number
  /** In place of it. */
  gate?: Gate
  onCall?: UsageLog['record']
  log?: Log
  /** Whose connections are not limited; those of the test unless it says so. */
  trustedProxies?: readonly string[]
  aside?: Aside
}
export type Answer = { status: number; headers: Record<string, string>; body: string }
export type Served = {
  url: string
  site: Site
  /** Sends the target as it stands, however odd. */
  ask(method: string, target: string, headers?: Record<string, string>, body?: string): Promise<Answer>
  close(): Promise<void>
}

/** A group of endpoints on the real HTTP server. Nobody can pay here: the gate refuses everybody without free calls. */
export async function serveGroup<S>(group: Group<S>, services: S, options: Options = {}): Promise<Served> {
  const clock = options.clock ?? systemClock
  const log = options.log ?? silentLog
  const site = testSite({ catalog: createCatalog<Site>([group as Group<never>, discoveryGroup]) })
  const handlers = bindGroup(group, services)
  const { mint, redeem } = createPaidMint()
  const streams = createEventStreams({ clock, log })
  const clientKey = createClientKey(['127.0.0.1'])
  const operator = createOperatorAccess({
    config: { operatorKey: secret(OPERATOR_KEY) },
    clock,
    log: silentLog,
    clientKey,
    book: options.book ?? createMemoryOperatorBook(createMemoryOperatorRows()),
  })
  const counters = createRateCounters({ clock })
  const proxies = options.trustedProxies ?? ['127.0.0.1']
  const countCutOff = createCutOffs({ clock, log })
  const server = createHttpServer({ clock, peerOf: createPeerOf(proxies), countCutOff })
  serveCatalog(server, site.catalog, {
    clock,
    site,
    log,
    bootId: 'test',
    handlers,
    replies: createReplies(handlers.products, redeem),
    gate: options.gate ?? gateOf({ clock, mint, counters }, options.demoCalls),
    clientKey,
    checks: options.checks ?? { operator, wallet: checkTestWallet },
    counters,
    streams,
    countCutOff,
    usage: { record: options.onCall ?? (() => {}) },
    hashedClient: createHashedClient(),
    ...(options.aside && { aside: options.aside }),
  })
  await listen(server, '127.0.0.1', 0)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    site,
    ask: (method, target, headers = {}, body) => ask(port, method, target, headers, body),
    async close() {
      streams.endAll()
      await drain(server)
    },
  }
}

const checkTestWallet: NonNullable<AccessChecks['wallet']> = ({ headers }) => {
  if (headers.authorization !== `Bearer ${WALLET_TOKEN}`)
    throw new ServiceError('unauthorized', 'sign in first')
  const token = { id: 'test', expiresMs: 0 }
  return { kind: 'wallet', client: 'test', wallet: '0xb2', tier: 'holder', token }
}

const closedGate: Gate = {
  demoLimit: 0,
  admit: async () => ({
    kind: 'refused',
    demoRemaining: 0,
    challenge: { header: '', body: '{}', bodyBytes: 2 } as never,
  }),
}

type DemoPorts = { clock: Clock; mint: PaidMint['mint']; counters: RateCounters }

const gateOf = (ports: DemoPorts, demoCalls: number | undefined): Gate =>
  demoCalls ? createDemoGate(ports, demoCalls) : closedGate

/** Whoever asks, free calls are counted together, and a call that brings nothing is given back. */
function createDemoGate(ports: DemoPorts, limit: number): Gate {
  let left = limit
  return createGate({
    ...ports,
    challenges: { challenge: () => ({ header: '', pageHeader: '', body: '{}', bodyBytes: 2, madeAtMs: 0 }) },
    demo: {
      limit,
      remaining: async () => left,
      async take() {
        if (left === 0) return undefined
        left--
        return { remaining: left, giveBack: async () => void left++ }
      },
    },
    readPayment: async () => ({ reason: 'payment_refused' }),
    handedOut: createHandedOut({ customerOf }),
    bounds: withoutBounds(async () => ({ kind: 'refused', reason: 'payment_refused' })),
  })
}

function ask(port: number, method: string, target: string, headers: object, body?: string): Promise<Answer> {
  return new Promise((done, fail) => {
    const sent = httpRequest({ host: '127.0.0.1', port, method, path: target, headers: { ...headers } })
    sent.once('error', fail)
    sent.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', fail)
      response.once('end', () =>
        done({
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string>,
          body: Buffer.concat(chunks).toString('latin1'),
        }),
      )
    })
    sent.end(body)
  })
}
