import type { Coin } from '../../core/coin.ts'
import type { Request } from './outbox.ts'
import { createVenueSocket, type VenueSocketOptions } from './venue-socket.ts'

export type Stream = 'trades' | 'book'

/** What one connection is subscribed to. Opens it with the first subscription. */
export type Subscriptions = {
  /** Does nothing if it is subscribed already. */
  start(stream: Stream, coin: Coin): void
  /** False if there was no such subscription. */
  end(stream: Stream, coin: Coin): boolean
  /** The venue accepted the oldest request that `isIt` accepts. */
  accepted(isIt: (request: Request) => boolean): void
  /**
   * The venue refused the oldest request that `isIt` accepts; false if there is none. It refuses a request as a whole:
   * the topics of a joint one are asked for one by one, and only one that is refused by itself fails.
   */
  refused(isIt: (request: Request) => boolean, reason: string): boolean
  /** Ends the connection, and with it every subscription. */
  drop(reason: string): void
  /** The connection has brought something: if it lives for a while, the next one may follow at once. */
  proveUseful(): void
}

export type SubscriptionOptions = Omit<VenueSocketOptions, 'onLost'> & {
  topicOf(stream: Stream, coin: Coin): string
  onStarted(stream: Stream, coin: Coin): void
  onEnded(stream: Stream, coin: Coin): void
  /** After `onEnded`, if the subscription did not end by `end`. */
  onFailed(stream: Stream, coin: Coin, error: Error): void
}

export function createSubscriptions(options: SubscriptionOptions): Subscriptions {
  const { topicOf, onStarted, onEnded, onFailed } = options
  const open = new Map<string, { stream: Stream; coin: Coin }>()

  const close = (topic: string) => {
    const closed = open.get(topic)
    open.delete(topic)
    if (closed) onEnded(closed.stream, closed.coin)
    return closed
  }
  const fail = (topic: string, error: Error) => {
    const failed = close(topic)
    if (failed) onFailed(failed.stream, failed.coin, error)
  }
  const socket = createVenueSocket({
    ...options,
    onLost(error) {
      for (const topic of [...open.keys()]) fail(topic, error)
    },
  })
  return {
    start(stream, coin) {
      const topic = topicOf(stream, coin)
      if (open.has(topic)) return
      socket.subscribe(topic)
      open.set(topic, { stream, coin })
      onStarted(stream, coin)
    },
    end(stream, coin) {
      const topic = topicOf(stream, coin)
      const wasOpen = close(topic) !== undefined
      if (wasOpen) socket.unsubscribe(topic)
      return wasOpen
    },
    accepted: (isIt) => void socket.takeUnanswered(isIt),
    refused(isIt, reason) {
      const request = socket.takeUnanswered(isIt)
      if (!request) return false
      const { verb, topics } = request
      for (const topic of topics) {
        socket.isolate(topic)
        if (verb === 'unsubscribe') continue
        if (topics.length === 1) fail(topic, new Error(`refused: ${reason}`))
        else if (open.has(topic)) socket.subscribe(topic)
      }
      return true
    },
    drop: socket.drop,
    proveUseful: socket.proveUseful,
  }
}
