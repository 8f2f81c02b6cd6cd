import type { Coin } from '../../core/coin.ts'
import type { Part } from '../part.ts'
import type { CascadeRisk } from './cascade-risk.ts'
import { DERIVATIVES_VENUES } from './derivatives.ts'
import type { DerivativesDesk } from './derivatives-desk.ts'

const SOURCE = 'derivatives_venues'

/** As old as the oldest venue that it was made of. */
export function cascadePart(
  desk: Pick<DerivativesDesk, 'perpetual' | 'overview'>,
  coin: Coin,
): Part<CascadeRisk> {
  const venues = DERIVATIVES_VENUES.map((venue) => desk.perpetual(venue, coin))
  const times = venues.flatMap(({ asOfMs }) => asOfMs ?? [])
  const { cascade } = desk.overview(coin)
  if (!cascade || times.length === 0)
    return { source: SOURCE, status: 'missing', reason: 'too little is known of this coin' }
  const isFresh = venues.every(({ status }) => status === 'fresh')
  return { source: SOURCE, status: isFresh ? 'fresh' : 'aged', value: cascade, asOfMs: Math.min(...times) }
}
