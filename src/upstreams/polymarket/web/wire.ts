import { z } from 'zod'
import { maybeFlag, maybeNumber, wireFlag } from '../../wire/number.ts'
import { wireText } from '../../wire/text.ts'
import { wireTime } from '../../wire/time.ts'

const MAX_PRICE_USD = 1e9
const MAX_REGION_CHARS = 20
const price = () => maybeNumber({ min: 0, max: MAX_PRICE_USD }).transform((value) => value || undefined)

/** The prices that the web site shows for a window; the close is unknown until it is over. */
export const CryptoPriceReply = z
  .object({
    openPrice: price(),
    closePrice: price(),
    timestamp: wireTime(),
    completed: wireFlag(),
    incomplete: maybeFlag(),
    cached: maybeFlag(),
  })
  .transform(({ openPrice, closePrice, timestamp, completed, incomplete }) => ({
    openPrice,
    closePrice,
    isCompleted: completed,
    /** The site itself lacks some of the prices. */
    isIncomplete: incomplete ?? false,
    atMs: timestamp,
  }))
export type CryptoPrice = z.output<typeof CryptoPriceReply>

/** Our own address stands in the reply, too; it is not kept. */
export const GeoblockReply = z
  .object({
    blocked: wireFlag(),
    country: z.string().regex(/^[A-Z0-9]{2}$/, 'expected a country'),
    region: wireText(MAX_REGION_CHARS).nullish(),
  })
  .transform(({ blocked, country, region }) => ({
    isBlocked: blocked,
    country,
    region: region || undefined,
  }))
export type Geoblock = z.output<typeof GeoblockReply>
