import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { PeerOf } from '../../access/client-key.ts'
import { createPlaces, type PlaceLimits } from '../../access/places.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { failureReply } from '../reply.ts'
import type { CountCutOff } from './cut-offs.ts'
import { closeIdle, followReplies } from './idle-connections.ts'
import { endWith } from './last-word.ts'

/** A browser opens six. A network is a /24 or a /48: ten of them at their limit fill the service. */
export const CONNECTION_LIMITS: PlaceLimits = { client: 256, network: 1_024, all: 10_000 }
/** From here on idle connections are closed, so that there is room for who asks something. */
const CROWDED_SHARE = 0.9
const MAKE_ROOM_MS = 1_000

export type ConnectionPorts = { clock: Clock; peerOf: PeerOf; countCutOff: CountCutOff }

const REFUSALS = { client: 'client_limit', network: 'network_limit', all: 'total_limit' } as const

/** A trusted proxy brings the connections of many: only the total counts for it. */
export function limitConnections(
  server: Server,
  { clock, peerOf, countCutOff }: ConnectionPorts,
  limits = CONNECTION_LIMITS,
): void {
  const places = createPlaces(limits)
  const makeRoom = createMakeRoom(server, clock)
  let open = 0
  followReplies(server)
  server.maxConnections = limits.all
  server.on('drop', () => countCutOff('total_limit'))
  server.on('connection', (socket: Socket) => {
    const { key, isProxy } = peerOf(socket)
    const leave = isProxy ? () => {} : places.take(key)
    if (typeof leave === 'string') {
      countCutOff(REFUSALS[leave])
      return endWith(socket, REFUSAL, clock)
    }
    open++
    socket.once('close', () => {
      open--
      leave()
    })
    if (open >= limits.all * CROWDED_SHARE) makeRoom()
  })
}

const REFUSAL = failureReply(
  new ServiceError('rate_limited', 'too many connections from one address or network at a time', {
    hint: 'close one first, or send one request after the other on the same connection',
  }),
  'none',
)

/** Looking for idle ones goes through all connections, so it is done once in a while. */
function createMakeRoom(server: Server, clock: Pick<Clock, 'now'>): () => void {
  let lastMs = Number.NEGATIVE_INFINITY
  return () => {
    const nowMs = clock.now()
    if (Math.abs(nowMs - lastMs) < MAKE_ROOM_MS) return
    lastMs = nowMs
    closeIdle(server)
  }
}
