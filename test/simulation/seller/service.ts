import type { EncodedReply } from '../../../src/catalog/encoded-reply.ts'
import { ServiceError, statusOf } from '../../../src/core/service-error.ts'
import type { Seeded } from '../../../src/testing/seeded.ts'
import type { PoolFaults } from '../facilitators/own-pool.ts'
import type { Authorization } from '../people/authorization.ts'
import { guarded } from './guarded.ts'
import { createProcess, type Process, type ServiceWorld } from './process.ts'
import { PRODUCTS, type ProductId } from './products.ts'

export type HttpReply = {
  /** 0: the connection was lost. */
  status: number
  text?: string
  reason?: string
}
/** What somebody sends: a header, and what it was made from. */
export type Presented = Pick<Authorization, 'key' | 'header' | 'isGenuine'>
export type Delivery = {
  key: string
  productId: ProductId
  request: string
  text: string
  isForged: boolean
  /** Whether the chain had moved the price, and under enough blocks, when the reply left. */
  wasPaid: boolean
}
export type HandlerRun = { key: string; atMs: number; isOk: boolean; mayRun: boolean }
/** An answer without goods to somebody whose money had moved. */
export type Owed = { key: string; status: number }

export type Service = {
  get(productId: ProductId, query: string, presented: Presented, client: string): Promise<HttpReply>
  /** As a 402 would name it; undefined while the service is down or knows of none. */
  feePayerOf(network: string): string | undefined
  /** Ends one of its processes. */
  crash(): void
  /** How many processes share the ledger. */
  seats: number
  /** Those that run now. */
  processes(): readonly Process[]
  /** When the last of them began to serve. */
  upSinceMs(): number
  /** How far its clock is off. */
  skewMs: number
  deliveries: Delivery[]
  handlerRuns: HandlerRun[]
  owed: Owed[]
  /** Errors that no input may cause. */
  broken: string[]
  wrongs: PoolFaults
}

const CLIENT_TIMEOUT_MS = 30_000
/** How far a machine's clock may be off. */
const MAX_SKEW_MS = 10_000

/** The seller's processes, each of which can die between any two steps and starts again on what the disk kept. */
export function createService(world: ServiceWorld): Service {
  const { timeline, random, faults, trace } = world
  const records = { deliveries: [], handlerRuns: [], owed: [], broken: [] } as Records
  const wrongs: PoolFaults = { resent: [], rude: [], late: [] }
  const skewMs = random.chance(0.4) ? random.between(-MAX_SKEW_MS, MAX_SKEW_MS) : 0
  const answer = createAnswer(world, records)
  let boots = 0
  const boot = (isAlive: () => boolean) => createProcess(world, `boot${++boots}`, skewMs, wrongs, isAlive)
  const seats = Array.from({ length: world.processes }, () => createSeat(world, boot))
  /** Whoever is up; they are asked in turns of chance. */
  const findSeat = () => {
    const up = seats.filter((seat) => seat.process()?.isUp)
    return oneOf(random, up)
  }
  const get: Service['get'] = (productId, query, presented, client) =>
    new Promise((resolve) => {
      let seat: Seat | undefined
      const hangUp = () => {
        seat?.hangUps.delete(hangUp)
        resolve({ status: 0 })
      }
      timeline.after(CLIENT_TIMEOUT_MS, hangUp)
      timeline.after(random.between(1, 10), async () => {
        seat = findSeat()
        const at = seat?.process()
        if (!seat || !at) return hangUp()
        seat.hangUps.add(hangUp)
        const reply = await answer(at, productId, query, presented, client)
        if (!at.isAlive()) return
        trace?.(
          `service: ${presented.key} ${productId} → ${reply.status} ${reply.reason ?? reply.text ?? ''}`,
        )
        seat.hangUps.delete(hangUp)
        if (random.chance(faults.lostReply)) return
        timeline.after(random.between(1, 10), () => resolve(reply))
      })
    })
  return {
    ...{ ...records, wrongs, get, skewMs, seats: seats.length },
    crash: () => oneOf(random, seats)?.crash(),
    upSinceMs: () => Math.max(...seats.map((seat) => seat.upSinceMs())),
    processes: () => seats.flatMap((seat) => seat.process() ?? []),
    feePayerOf: (network) => findSeat()?.process()?.pool.feePayerOf(network),
  }
}

const oneOf = <T>(random: Seeded, all: readonly T[]): T | undefined => all[random.between(0, all.length - 1)]

/** Where a process runs, and the next one when it has died. */
type Seat = {
  process(): Process | undefined
  upSinceMs(): number
  /** Of those who wait for an answer. */
  hangUps: Set<() => void>
  crash(): void
}

function createSeat(world: ServiceWorld, boot: (isAlive: () => boolean) => Process): Seat {
  const { timeline, random, trace } = world
  const hangUps = new Set<() => void>()
  let process: Process | undefined
  let upSinceMs = 0
  const start = () => {
    const started = boot(() => process === started)
    process = started
    trace?.(`service: ${started.bootId} starts`)
    // A start that fails ends the process, and the supervisor tries again.
    started.start().then(() => {
      upSinceMs = timeline.now()
    }, crash)
  }
  const crash = () => {
    if (!process) return
    trace?.(`service: ${process.bootId} crashes`)
    const { isAlive } = process
    process = undefined
    world.disk.crash(isAlive)
    for (const hangUp of hangUps) hangUp()
    timeline.after(random.between(20, 3_000), start)
  }
  start()
  return { hangUps, crash, process: () => process, upSinceMs: () => upSinceMs }
}

const FRESH_FOR_MS = 10_000

type Records = Pick<Service, 'deliveries' | 'handlerRuns' | 'owed' | 'broken'>

/** As the gate answers a request with a payment: read it, sell within the bounds, deliver. */
function createAnswer(world: ServiceWorld, { deliveries, handlerRuns, owed, broken }: Records) {
  const { timeline, random, faults, chain } = world
  const work = (key: string, productId: ProductId, query: string, { isAlive, bootId, book }: Process) =>
    guarded(isAlive, async (): Promise<EncodedReply> => {
      const row = world.disk.rows.get(key) ?? (await book.find(key))
      const run: HandlerRun = {
        key,
        atMs: timeline.now(),
        isOk: false,
        mayRun: row?.state === 'claimed' && row.id.startsWith(`${bootId}-`),
      }
      handlerRuns.push(run)
      await timeline.sleep(random.between(0, 30))
      if (random.chance(faults.handlerFailure))
        throw new ServiceError('upstream_unavailable', 'no trades yet')
      run.isOk = true
      const text = `${productId}?${query}#${handlerRuns.length}`
      return { text, bytes: text.length, asOfMs: timeline.now(), isOutage: false }
    })
  const sell = async (
    at: Process,
    productId: ProductId,
    query: string,
    { header, isGenuine }: Presented,
    client: string,
  ): Promise<HttpReply> => {
    const over = await at.bounds.findOver(client)
    const read = await at.read(header, PRODUCTS[productId], client, over)
    if ('reason' in read) {
      if (over) throw over
      await at.bounds.countUnusable(client)
      return { status: 402, reason: read.reason }
    }
    const { payment, problem } = read
    const { key } = payment
    const request = `GET /${productId}?${query}`
    const isFresh = (asOfMs: number) => timeline.now() - asOfMs <= FRESH_FOR_MS
    const offer = { productId, request, work: () => work(key, productId, query, at), isFresh }
    const sale = await at.bounds.sell(client, payment, offer, problem)
    if (sale.kind === 'refused') {
      at.load.refused(key, client, payment.payer)
      return { status: 402, reason: sale.reason }
    }
    at.load.sold(client, payment.payer)
    const { reply, row } = sale
    const text = `${reply.text} ${reply.receipt} ${row.transaction}`
    const wasPaid = chain.confirmedAt(key) !== undefined
    deliveries.push({ key, productId, request, text, isForged: !isGenuine, wasPaid })
    return { status: 200, text }
  }
  return async (...asked: Parameters<typeof sell>): Promise<HttpReply> => {
    const [, , , presented] = asked
    const reply = await sell(...asked).catch((error) => {
      if (isServiceError(error)) return { status: statusOf(error.code), reason: error.code }
      broken.push(String(error))
      return { status: 500 }
    })
    if (reply.status !== 200 && presented.isGenuine && chain.transferOf(presented.key))
      owed.push({ key: presented.key, status: reply.status })
    return reply
  }
}

/** By name: a planted bug comes with a class of its own. */
const isServiceError = (error: unknown): error is ServiceError =>
  error instanceof Error && error.name === 'ServiceError'
