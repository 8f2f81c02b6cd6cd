import type { Peer } from './peers.ts'

/** Which connection subscribed to which stream. A stream without subscribers is not encoded. */
export type Topics = {
  add(topic: string, peer: Peer, frame: Frame): void
  remove(topic: string, peer: Peer): void
  forget(peer: Peer): void
  has(topic: string): boolean
  /** Encodes once and sends to every subscriber of the topic. */
  publish(topic: string, makeText: () => string): void
  of(peer: Peer): readonly string[]
}

/** Wraps a message as the connection expects it. */
export type Frame = (topic: string, text: string) => string
export const bare: Frame = (_, text) => text

export function createTopics(): Topics {
  const topics = new Map<string, Map<Peer, Frame>>()
  const remove = (topic: string, peer: Peer) => {
    const subscribers = topics.get(topic)
    subscribers?.delete(peer)
    if (subscribers?.size === 0) topics.delete(topic)
  }
  const of = (peer: Peer) => [...topics].filter(([, peers]) => peers.has(peer)).map(([topic]) => topic)
  return {
    add(topic, peer, frame) {
      const subscribers = topics.get(topic) ?? new Map<Peer, Frame>()
      subscribers.set(peer, frame)
      topics.set(topic, subscribers)
    },
    remove,
    forget(peer) {
      for (const topic of of(peer)) remove(topic, peer)
    },
    has: (topic) => topics.has(topic),
    publish(topic, makeText) {
      const subscribers = topics.get(topic)
      if (!subscribers) return
      const text = makeText()
      for (const [peer, frame] of subscribers) peer.send(topic, frame(topic, text))
    },
    of,
  }
}
