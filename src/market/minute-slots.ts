import type { Kline } from '../feeds/events.ts'

/** A minute and what is known of it. */
export type Slot = Omit<Kline, 'venue' | 'coin' | 'openMs'> & {
  /** Of the epoch. */
  minute: number
  /** The ids of its trades have no hole from the trade before this minute on. */
  isUnbroken: boolean
  isFinal: boolean
  /** The venue's own. */
  isSeeded: boolean
}

/** The newest `capacity` minutes by their number; every change is O(1). */
export type MinuteSlots = {
  find(minute: number): Slot | undefined
  put(slot: Slot): void
  /** A minute has changed. */
  touch(minute: number): void
  isTooOld(minute: number): boolean
  /** All that are held, in no order. */
  all(): readonly Slot[]
  /** Takes the place of all that is held; the revision rises. */
  restore(held: readonly Slot[], newest: number | undefined): void
  readonly newest: number | undefined
  /** Rises when a minute before the newest changed. */
  readonly revision: number
}

export function createMinuteSlots(capacity: number): MinuteSlots {
  const slots: (Slot | undefined)[] = new Array(capacity)
  let newest: number | undefined
  let revision = 0
  return {
    find(minute) {
      const slot = slots[minute % capacity]
      return slot?.minute === minute ? slot : undefined
    },
    put(slot) {
      slots[slot.minute % capacity] = slot
    },
    touch(minute) {
      if (minute === newest) return
      revision++
      if (newest === undefined || minute > newest) newest = minute
    },
    isTooOld: (minute) => newest !== undefined && minute <= newest - capacity,
    all: () => slots.filter((slot) => slot !== undefined),
    restore(held, newestOfThem) {
      slots.fill(undefined)
      for (const slot of held) slots[slot.minute % capacity] = slot
      newest = newestOfThem
      revision++
    },
    get newest() {
      return newest
    },
    get revision() {
      return revision
    },
  }
}
