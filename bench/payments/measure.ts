import { capture, type Place } from '../harness/capture.ts'
import { type Load, openLoad } from '../harness/load.ts'
import { awake, type Measurement, measureLoad, WARM_UP_MS } from '../harness/measure.ts'
import { BOUGHT_PATH, type FacilitatorKind } from './job.ts'
import type { Timings } from './servers/timed-facilitator.ts'
import type { Target } from './targets.ts'
import type { Seller } from './world.ts'

/** `overheadMs` is the median reply less the medians of the facilitator's own verify and settle in the same time. */
export type PaidMeasurement = Measurement & { facilitatorMs: number; overheadMs: number }

/** More than any server here sells in the warm-up. */
const WARM_UP_PAYMENTS = 3_000
/** The warm-up is slower than what follows, so that its speed alone would leave too few. */
const SPARE = 2
const REST_WITHIN_MS = 15_000
/** As ours and Express write it, and as Hono does. */
export const PAYMENT_RESPONSE_NAMES = ['PAYMENT-RESPONSE', 'payment-response']

/**
 * Payments are good for five minutes and are used once, so each measurement signs its own beforehand. Where they run
 * out, it ends early.
 */
export function measurePaid(seller: Seller, { connections }: Target, ms: number): Promise<PaidMeasurement> {
  const { server } = seller
  return awake(server, async () => {
    const perSecond = await withLoad(seller, WARM_UP_PAYMENTS, connections, async (load) => {
      const { requests, elapsedMs } = await load.count(WARM_UP_MS)
      return requests / (elapsedMs / 1000)
    })
    const enough = Math.ceil(((perSecond * ms) / 1000) * SPARE) + connections
    return withLoad(seller, enough, connections, async (load) => {
      await takeTimings(seller)
      const measured = await measureLoad(server, load, ms)
      const { verifyMs, settleMs } = await takeTimings(seller)
      const facilitatorMs = verifyMs + settleMs
      return { ...measured, facilitatorMs, overheadMs: measured.p50Ms - facilitatorMs }
    })
  })
}

const WARM_CALLS = { instant: 3_000, anvil: 150 }
const WARM_CONNECTIONS = 32
const WARM_WITHIN_MS = 30_000

/** Once per server, by calls and not by time: on a busy machine half a second is not enough to get code compiled. */
export function warmUp(seller: Seller, facilitator: FacilitatorKind): Promise<unknown> {
  const calls = WARM_CALLS[facilitator]
  return awake(seller.server, () =>
    withLoad(seller, calls, WARM_CONNECTIONS, (load) => load.count(WARM_WITHIN_MS)),
  )
}

/** Ends with every presented payment answered: afterwards the ledger has to hold just those. */
async function withLoad<T>(
  { server, sign, count }: Seller,
  payments: number,
  connections: number,
  work: (load: Load) => Promise<T>,
): Promise<T> {
  const stock = Array.from({ length: payments }, () => paidRequest(server, sign(), BOUGHT_PATH))
  count.paid -= stock.length
  let isOver = false
  const load = await openLoad({
    host: server.host,
    port: server.port,
    nextRequest() {
      const request = isOver ? undefined : stock.pop()
      if (request) count.paid++
      return request
    },
    status: 200,
    requiredHeader: PAYMENT_RESPONSE_NAMES,
    connections,
  })
  try {
    const result = await work(load)
    isOver = true
    await Promise.race([load.rested, lateRest(server.name)])
    return result
  } finally {
    load.close()
  }
}

function lateRest(name: string): Promise<never> {
  return new Promise((_, reject) => {
    const late = () => reject(new Error(`${name} left payments unanswered for ${REST_WITHIN_MS} ms`))
    setTimeout(late, REST_WITHIN_MS).unref()
  })
}

async function takeTimings({ control }: Seller): Promise<Timings> {
  const { hostname: host, port } = new URL(control.url)
  return JSON.parse((await capture({ host, port: Number(port) }, '/')).body) as Timings
}

export function paidRequest({ host, port }: Place, payment: string, path: string): Buffer {
  const head = `GET ${path} HTTP/1.1\r\nHost: ${host}:${port}\r\nUser-Agent: bench\r\nAccept: */*\r\n`
  return Buffer.from(`${head}PAYMENT-SIGNATURE: ${payment}\r\n\r\n`, 'latin1')
}
