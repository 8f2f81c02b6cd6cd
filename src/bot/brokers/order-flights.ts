import type { Placed } from './broker.ts'

/** Orders whose placing is under way, by client order id. */
export type OrderFlights = {
  /** Whoever places the same order meanwhile gets the same answer; undefined where there are too many. */
  join(clientOrderId: string, place: () => Promise<Placed>): Promise<Placed> | undefined
  find(clientOrderId: string): Promise<Placed> | undefined
}

/** Far more than one per window and coin, and the operator's. */
const MAX_UNDER_WAY = 100

export function createOrderFlights(): OrderFlights {
  const underWay = new Map<string, Promise<Placed>>()
  return {
    join(clientOrderId, place) {
      const same = underWay.get(clientOrderId)
      if (same) return same
      if (underWay.size >= MAX_UNDER_WAY) return undefined
      const placed = place().finally(() => underWay.delete(clientOrderId))
      underWay.set(clientOrderId, placed)
      return placed
    },
    find: (clientOrderId) => underWay.get(clientOrderId),
  }
}
