import { z } from 'zod'
import { CONDITION_ID, CURSOR, isTokenId, SLUG, WALLET } from '../rules/path-parts.ts'
import { maybeNumber, wireNumber } from '../wire/number.ts'
import { wireText } from '../wire/text.ts'
import { shownWords } from '../wire/unknown.ts'

// Fields that mean the same on every host of the venue.

const MAX_TITLE_CHARS = 2_000
const MAX_ID_CHARS = 200
/** Above all shares and all money that the venue has ever seen; below what a double counts in millionths. */
const MAX_AMOUNT = 1e9
/** Volumes of events add up over years. */
const MAX_VOLUME_USD = 1e12
/** The finest tick of the venue: no price is closer to 0 or 1. */
const FINEST_TICK = 0.0001
const COARSEST_TICK = 0.1

export const conditionId = () =>
  z
    .string()
    .regex(CONDITION_ID, 'expected a condition id')
    .transform((id) => id.toLowerCase())
export const tokenId = () => z.string().refine(isTokenId, 'expected a token id')
export const wallet = () =>
  z
    .string()
    .regex(WALLET, 'expected an address')
    .transform((address) => address.toLowerCase())
export const slug = () => z.string().regex(SLUG, 'expected a slug')
export const side = () => z.enum(['BUY', 'SELL'])

/** The price of a resting order or of a trade. */
export const tradedPrice = () => wireNumber({ min: FINEST_TICK, max: 1 - FINEST_TICK })
/** A price with both ends, as of a resolved market. */
export const maybePrice = () => maybeNumber({ min: 0, max: 1 })
export const priceChange = () => maybeNumber({ min: -1, max: 1 })
export const shares = () => wireNumber({ min: 0, max: MAX_AMOUNT })
export const maybeShares = () => maybeNumber({ min: 0, max: MAX_AMOUNT })
export const usd = () => wireNumber({ min: 0, max: MAX_AMOUNT })
export const maybeUsd = () => maybeNumber({ min: 0, max: MAX_AMOUNT })
export const maybePnlUsd = () => maybeNumber({ min: -MAX_AMOUNT, max: MAX_AMOUNT })
export const maybeVolumeUsd = () => maybeNumber({ min: 0, max: MAX_VOLUME_USD })
export const tickSize = () => wireNumber({ min: FINEST_TICK, max: COARSEST_TICK })
export const maybeTickSize = () => maybeNumber({ min: FINEST_TICK, max: COARSEST_TICK })

/** A text that has to be there, such as the label of an outcome. */
export const title = () => wireText(MAX_TITLE_CHARS)
/** A text for people, which decides nothing: empty where there is none. */
export const words = () => shownWords(MAX_TITLE_CHARS)
/** A short text for machines; undefined where it is missing, null or empty. */
export const maybeId = () =>
  wireText(MAX_ID_CHARS)
    .nullish()
    .transform((id) => id || undefined)
/** Where the next page begins; checked here because it goes into an address. Undefined where there is none. */
export const cursor = () =>
  z
    .union([z.literal(''), z.string().regex(CURSOR)], 'expected a cursor')
    .nullish()
    .transform((next) => next || undefined)
