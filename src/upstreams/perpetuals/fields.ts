import { wireNumber } from '../wire/number.ts'

// What figures of a perpetual can be; what lies outside is a mistake of the venue.

/** A judgement: rates of these coins stay far below it, whatever the interval. */
export const fundingRate = () => wireNumber({ min: -0.04, max: 0.04 })
export const price = () => wireNumber({ min: 1e-9, max: 1e9 })
/** Coins, contracts or dollars. */
export const amount = () => wireNumber({ min: 0, max: 1e12 })
export const intervalHours = () => wireNumber({ min: 1, max: 24 })

export const DEFAULT_INTERVAL_HOURS = 8
