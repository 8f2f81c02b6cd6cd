import type { VenueMarket } from '../../../prediction/venue.ts'
import { toAmount } from '../number-text.ts'

export type Volumes = Record<'volume' | 'volume24hr' | 'volume1wk' | 'volume1mo' | 'volume1yr', number>

/** Longer spans than a day are taken to be like the last day, up to all that was ever traded. */
export function volumesOf({ volumeE6, volume24hE6 }: Pick<VenueMarket, 'volumeE6' | 'volume24hE6'>): Volumes {
  const overDays = (days: number) => toAmount(Math.min(volumeE6, volume24hE6 * days))
  return {
    volume: toAmount(volumeE6),
    volume24hr: overDays(1),
    volume1wk: overDays(7),
    volume1mo: overDays(30),
    volume1yr: overDays(365),
  }
}
