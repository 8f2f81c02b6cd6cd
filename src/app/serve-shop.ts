import { createClientAddress, createClientKey, createPeerOf, customerOf } from '../access/client-key.ts'
import { fleetSecretOf } from '../access/fleet-secret.ts'
import { createHashedClient } from '../access/hashed-client.ts'
import type { IdentifyOperator } from '../access/operator-check.ts'
import { createRateCounters } from '../access/rate-counters.ts'
import { createRedisSharedCustomers } from '../access/redis/shared-customers.ts'
import { createPayerCheck, createWalletCheck } from '../access/wallet/wallet-check.ts'
import { joinHandlers } from '../catalog/handlers.ts'
import type { Site } from '../catalog/site.ts'
import type { Config } from '../config/config.ts'
import type { Log } from '../core/log.ts'
import { ServiceError } from '../core/service-error.ts'
import type { Clock } from '../core/time/clock.ts'
import type { Aside } from '../http/aside.ts'
import { createCutOffs } from '../http/connection/cut-offs.ts'
import { drain, retireConnections } from '../http/connection/drain.ts'
import { createCountCall } from '../http/count-call.ts'
import { listen } from '../http/listen.ts'
import { createEventStreams } from '../http/respond/event-streams.ts'
import { createPassOn } from '../http/respond/pass-on.ts'
import { createHttpServer, serveCatalog } from '../http/server.ts'
import type { Store } from '../ledger/ports/store.ts'
import { createChallenges } from '../payments/challenge/challenge.ts'
import type { Bounds } from '../payments/gate/bounds/bounds.ts'
import { createGate, type Gate } from '../payments/gate/gate.ts'
import { createHandedOut, type HandedOut } from '../payments/gate/handed-out.ts'
import type { RefusedPayments } from '../payments/gate/refused-payments.ts'
import type { ReadPayment } from '../payments/read/read-payment.ts'
import { createOffers } from '../payments/receipts/offers.ts'
import type { ServiceKey } from '../payments/receipts/service-key.ts'
import type { OpenCounters } from './counters.ts'
import type { WorkCounts } from './metrics/work-counts.ts'
import { createOperatorAccess } from './operator-access.ts'
import { bindProtocols } from './protocols.ts'
import type { Shop } from './shop.ts'
import type { OpenAccess } from './sign-in.ts'
import type { OpenTraces } from './traces/open-traces.ts'

type Parts = {
  config: Pick<Config, 'host' | 'trustedProxies' | 'operatorKey' | 'engineUrls' | 'traces'>
  clock: Clock
  log: Log
  site: Site
  port: number
  key: ServiceKey
  store: Pick<Store, 'usage' | 'operator'>
  shop: Shop
  access: Omit<OpenAccess, 'account'>
  bounds: Bounds
  refused: RefusedPayments
  readPayment: ReadPayment
  readByKey: ReadPayment
  counters: Pick<OpenCounters, 'rates' | 'shared'>
  bootId: string
  aside: Aside
  /** Whether the operator's calls are answered here. */
  isEngine: boolean
  /** Of an engine: whether it leads. What the operator asks for is done by the one that does. */
  leads: (() => boolean) | undefined
  /** Frees the port. */
  vacate: (() => Promise<void>) | undefined
  /** Undefined where metrics and traces are off. */
  counts: WorkCounts | undefined
}

export type OpenShop = {
  prepareDocuments(): Promise<void>
  /** Serves on, and ends each connection with its next reply. */
  retire(): void
  close(): Promise<void>
}

/** The shop behind its gate, on HTTP. */
export async function serveShop(parts: Parts): Promise<OpenShop> {
  const { config, clock, log, site, port, store, shop, access, counts, bootId } = parts
  const { rates: counters } = parts.counters
  const { handlers, replies } = shop
  const { tokens, checkProof } = access
  const gate = parts.refused.watch(openGate(parts))
  const clientKey = createClientKey(config.trustedProxies)
  const hashedClient = createHashedClient()
  const protocols = bindProtocols({
    ...{ clock, site, log, gate, replies, counters, hashedClient },
    countCall: createCountCall({ clock, usage: store.usage }),
  })
  const traces = await findTraces(parts)
  const streams = createEventStreams({ clock, log })
  const countCutOff = createCutOffs({ clock, log, also: counts?.countCutOff })
  const guard = createOperatorAccess({ config, clock, log, clientKey, book: store.operator })
  const operator = { ...guard, identify: whileLeading(parts.leads, guard.identify) }
  const peerOf = createPeerOf(config.trustedProxies)
  const server = createHttpServer({ clock, peerOf, countCutOff })
  const { prepareDocuments } = serveCatalog(server, site.catalog, {
    clock,
    log,
    site,
    bootId,
    handlers: joinHandlers([handlers, protocols]),
    replies,
    gate,
    clientKey,
    checks: {
      operator,
      wallet: createWalletCheck({ tokens, clientKey }),
      payer: createPayerCheck({ tokens, checkProof, clientKey }),
    },
    counters,
    hashedClient,
    streams,
    countCutOff,
    usage: store.usage,
    aside: parts.aside,
    passOn: parts.isEngine
      ? undefined
      : createPassOn({
          ...{ engines: config.engineUrls, identify: operator.identify, log },
          addressOf: createClientAddress(config.trustedProxies),
        }),
    observeCall: counts?.observeCall,
    traceRequest: traces?.traceRequest,
  })
  await parts.vacate?.()
  log.info({ host: config.host, port: await listen(server, config.host, port) }, 'listening')
  return {
    prepareDocuments,
    retire: () => retireConnections(server),
    async close() {
      streams.endAll()
      await drain(server)
      await traces?.stop()
    },
  }
}

function openGate(parts: Parts): Gate {
  const { clock, site, key, shop, access } = parts
  const challenges = createChallenges({
    ...site,
    clock,
    offers: createOffers({ key, clock, mode: site.mode }),
  })
  const { demo, holders } = access
  return createGate({
    ...{ ...parts, mint: shop.mint, challenges, demo, holders, handedOut: openHandedOut(parts) },
    // Of its own: nobody who pays waits for those that processes share.
    counters: createRateCounters({ clock }),
  })
}

/** Where there is no Redis, there are no other processes to tell. */
function openHandedOut({ counters: { shared }, key, clock }: Parts): HandedOut {
  const secret = fleetSecretOf(key, 'customers of payments')
  const others = shared && { customers: createRedisSharedCustomers({ ...shared, secret }), clock }
  return createHandedOut({ customerOf, others })
}

/** What makes and sends them is loaded only where they are wanted. */
async function findTraces({
  config,
  clock,
  log,
  site,
  bootId,
  counts,
}: Parts): Promise<OpenTraces | undefined> {
  const { traces } = config
  if (!traces) return undefined
  const { openTraces } = await import('./traces/open-traces.ts')
  return openTraces({ traces, mode: site.mode, bootId, clock, log, count: counts?.countSpans })
}

const whileLeading =
  (leads: Parts['leads'] = () => true, identify: IdentifyOperator): IdentifyOperator =>
  async (raw) => {
    const operator = await identify(raw)
    if (leads()) return operator
    throw new ServiceError('upstream_unavailable', 'this engine does not lead now: nothing was done', {
      retryAfterS: 2,
    })
  }
