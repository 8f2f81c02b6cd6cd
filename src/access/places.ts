import { networkOf } from './client-network.ts'

/** Who has no place left. */
export type Whose = 'client' | 'network' | 'all'
export type PlaceLimits = Readonly<Record<Whose, number>>
export type Places = {
  /** Takes a place and returns what gives it back, or says whose places are all taken. */
  take(client: string): (() => void) | Whose
}

/** Places that strangers share, so that neither one client nor one network can hold them all. */
export function createPlaces(limits: PlaceLimits): Places {
  const perClient = createTally()
  const perNetwork = createTally()
  let taken = 0
  return {
    take(client) {
      const network = networkOf(client)
      if (perClient.of(client) >= limits.client) return 'client'
      if (perNetwork.of(network) >= limits.network) return 'network'
      if (taken >= limits.all) return 'all'
      perClient.add(client, 1)
      perNetwork.add(network, 1)
      taken++
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        perClient.add(client, -1)
        perNetwork.add(network, -1)
        taken--
      }
    },
  }
}

/** Forgets who has none. */
function createTally() {
  const counts = new Map<string, number>()
  const of = (name: string) => counts.get(name) ?? 0
  return {
    of,
    add(name: string, change: number) {
      const count = of(name) + change
      if (count === 0) counts.delete(name)
      else counts.set(name, count)
    },
  }
}
