import type { EncodedReply } from '../../src/catalog/encoded-reply.ts'
import { ServiceError, statusOf } from '../../src/core/service-error.ts'
import type { RefusalReason } from '../../src/payments/gate/refusal.ts'
import { type Authorization, keyOf, PAY_TO, toPayment } from './authorization.ts'
import { createProcess, guarded, type Process, type ServiceWorld } from './process.ts'

/** Two of one price: one payment must not buy both. */
export const PRICES = { cheap: 1_000, cheaper: 1_000, dear: 100_000 } as const
export type ProductId = keyof typeof PRICES
export type HttpReply = {
  /** 0: the connection was lost. */
  status: number
  text?: string
  reason?: string
}
export type Delivery = {
  key: string
  productId: ProductId
  request: string
  text: string
  isForged: boolean
  /** Whether the chain had moved the price when the reply left. */
  wasPaid: boolean
}
export type HandlerRun = { key: string; atMs: number; isOk: boolean; mayRun: boolean }

export type Service = {
  get(productId: ProductId, query: string, authorization: Authorization): Promise<HttpReply>
  /** As a 402 would name it; undefined while the service is down or knows of none. */
  feePayerOf(network: string): string | undefined
  crash(): void
  deliveries: Delivery[]
  handlerRuns: HandlerRun[]
  /** Errors that no input may cause. */
  broken: string[]
  /** Payments that were sent to a second facilitator while the first may have acted. */
  resent: string[]
}

const CLIENT_TIMEOUT_MS = 30_000
const MIN_LIFE_MS = 6_000
/** How far a machine's clock may be off. */
const MAX_SKEW_MS = 10_000

/** The seller's process, which can die between any two steps and starts again on what the disk kept. */
export function createService(world: ServiceWorld): Service {
  const { timeline, random, faults, chain, trace } = world
  const deliveries: Delivery[] = []
  const handlerRuns: HandlerRun[] = []
  const broken: string[] = []
  const resent: string[] = []
  const hangUps = new Set<() => void>()
  const skewMs = random.chance(0.4) ? random.between(-MAX_SKEW_MS, MAX_SKEW_MS) : 0
  let epoch = 0
  let process: Process | undefined
  const boot = () => {
    const mine = ++epoch
    const started = createProcess(world, `boot${mine}`, skewMs, resent, () => epoch === mine)
    process = started
    trace?.(`service: boot${mine} starts`)
    // A start that fails ends the process, and the supervisor tries again.
    started.start().catch(crash)
  }
  const work = (key: string, productId: ProductId, query: string, { isAlive, bootId, book }: Process) =>
    guarded(isAlive, async (): Promise<EncodedReply> => {
      const row = world.disk.rows.get(key) ?? (await book.find(key))
      const run: HandlerRun = {
        key,
        atMs: timeline.now(),
        isOk: false,
        mayRun: row?.state === 'claimed' && row.bootId === bootId,
      }
      handlerRuns.push(run)
      await timeline.sleep(random.between(0, 30))
      if (random.chance(faults.handlerFailure))
        throw new ServiceError('upstream_unavailable', 'no trades yet')
      run.isOk = true
      const text = `${productId}?${query}#${handlerRuns.length}`
      return { text, bytes: text.length, asOfMs: timeline.now(), isOutage: false }
    })
  const answer = async (at: Process, productId: ProductId, query: string, authorization: Authorization) => {
    const payment = toPayment(authorization, PRICES[productId])
    const offer = {
      productId,
      request: `GET /${productId}?${query}`,
      work: () => work(payment.key, productId, query, at),
    }
    try {
      const sale = await at.sell(payment, offer, findProblem(authorization, productId, at.clock.now()))
      if (sale.kind === 'refused') return { status: 402, reason: sale.reason }
      const { reply, row } = sale
      const text = `${reply.text} ${reply.receipt} ${row.transaction}`
      const paid = chain.transferOf(payment.key)
      const wasPaid = paid !== undefined && paid.to === PAY_TO && paid.value >= PRICES[productId]
      deliveries.push({
        key: payment.key,
        productId,
        request: offer.request,
        text,
        isForged: !authorization.isGenuine,
        wasPaid,
      })
      return { status: 200, text }
    } catch (error) {
      if (isServiceError(error)) return { status: statusOf(error.code), reason: error.code }
      broken.push(String(error))
      return { status: 500 }
    }
  }
  const get: Service['get'] = (productId, query, authorization) =>
    new Promise((resolve) => {
      const hangUp = () => {
        hangUps.delete(hangUp)
        resolve({ status: 0 })
      }
      timeline.after(CLIENT_TIMEOUT_MS, hangUp)
      timeline.after(random.between(1, 10), async () => {
        const at = process
        if (!at?.isUp || !at.isAlive()) return hangUp()
        hangUps.add(hangUp)
        const reply = await answer(at, productId, query, authorization)
        if (!at.isAlive()) return
        trace?.(
          `service: ${keyOf(authorization)} ${productId} → ${reply.status} ${reply.reason ?? reply.text ?? ''}`,
        )
        hangUps.delete(hangUp)
        if (random.chance(faults.lostReply)) return
        timeline.after(random.between(1, 10), () => resolve(reply))
      })
    })
  const crash = () => {
    if (!process) return
    trace?.('service: crash')
    process = undefined
    epoch++
    world.disk.crash()
    for (const hangUp of hangUps) hangUp()
    timeline.after(random.between(20, 3_000), boot)
  }
  boot()
  return {
    get,
    feePayerOf: (network) => (process?.isUp ? process.pool.feePayerOf(network) : undefined),
    crash,
    deliveries,
    handlerRuns,
    broken,
    resent,
  }
}

/** Our own checks of a payment, as far as the simulated world has them. */
function findProblem(
  { isGenuine, to, value, diesAtMs, feePayer }: Authorization,
  productId: ProductId,
  nowMs: number,
): RefusalReason | undefined {
  if (value !== PRICES[productId]) return 'wrong_amount'
  if (to !== PAY_TO) return 'wrong_recipient'
  if (!isGenuine) return 'invalid_signature'
  if (feePayer === undefined && diesAtMs < nowMs + MIN_LIFE_MS) return 'expired'
  return undefined
}

/** By name: a planted bug comes with a class of its own. */
const isServiceError = (error: unknown): error is ServiceError =>
  error instanceof Error && error.name === 'ServiceError'
