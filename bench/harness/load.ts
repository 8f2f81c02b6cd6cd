import { connect, type Socket } from 'node:net'
import { createResponseReader } from './response-reader.ts'
import { createTally, type Tally, type TallySummary } from './tally.ts'

export type LoadOptions = {
  host: string
  port: number
  /** Asked before every request; a connection that gets none rests for good. */
  nextRequest: () => Buffer | undefined
  status: number
  /** Spellings of a header that a good reply has; none: not looked at. */
  requiredHeader?: readonly string[]
  connections: number
}
/** Open connections under constant load, one request in flight on each. */
export type Load = {
  /** Counts for this long, or until every connection rests; the load goes on before and after. */
  count(ms: number): Promise<TallySummary & { elapsedMs: number }>
  /** Resolves once every connection rests, its last reply read. */
  rested: Promise<void>
  close(): void
}

const READ_BUFFER_BYTES = 131_072
const CONNECT_WITHIN_MS = 5_000

/** Node's own sockets rather than an HTTP client: the generator must be cheaper than what it measures. */
export async function openLoad(options: LoadOptions): Promise<Load> {
  let tally = createTally(options.status)
  let awake = options.connections
  const { promise: rested, resolve: allRest } = Promise.withResolvers<void>()
  const hooks = {
    tally: () => tally,
    rests: () => {
      if (--awake === 0) allRest()
    },
  }
  const opened = Array.from({ length: options.connections }, (_, index) => open(options, index, hooks))
  const sockets = await Promise.all(opened)
  return {
    rested,
    async count(ms) {
      tally = createTally(options.status)
      const counted = tally
      const startedAt = performance.now()
      await Promise.race([new Promise((resolve) => setTimeout(resolve, ms)), rested])
      const elapsedMs = performance.now() - startedAt
      tally = createTally(options.status)
      return { ...counted.summary(), elapsedMs }
    },
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

type Hooks = { tally(): Tally; rests(): void }

function open(options: LoadOptions, index: number, { tally, rests }: Hooks): Promise<Socket> {
  const { host, port, nextRequest, requiredHeader } = options
  const reader = createResponseReader(requiredHeader)
  let sentAt = 0
  const send = () => {
    const request = nextRequest()
    if (!request) return rests()
    sentAt = performance.now()
    socket.write(request)
  }
  const onread = {
    // One buffer for each: what is read is used up before the next read.
    buffer: Buffer.alloc(READ_BUFFER_BYTES),
    callback(length: number, buffer: Uint8Array) {
      try {
        const status = reader.read(buffer as Buffer, length)
        if (status === undefined) return true
        const isWhole = requiredHeader === undefined || status !== options.status || reader.hadName()
        if (isWhole) tally().answered(status, performance.now() - sentAt)
        else tally().lost(`no ${requiredHeader[0]}`)
        send()
      } catch (error) {
        socket.destroy(error as Error)
      }
      return true
    },
  }
  const localAddress = findSourceAddress(index)
  const socket = connect({ host, port, noDelay: true, onread, ...(localAddress && { localAddress }) })
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => socket.destroy(new Error('no connection in time')), CONNECT_WITHIN_MS)
    socket.once('connect', () => {
      clearTimeout(late)
      resolve(socket)
      send()
    })
    socket.on('error', (error) => {
      tally().lost(error.message)
      reject(error)
    })
    socket.on('end', () => tally().lost('closed by the server'))
  })
}

/** Every connection is a client of its own; only Linux answers on all of 127.0.0.0/8 without setup. */
function findSourceAddress(index: number): string | undefined {
  if (process.platform !== 'linux') return undefined
  return `127.0.${1 + Math.floor(index / 250)}.${1 + (index % 250)}`
}
