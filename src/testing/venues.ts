import { UPSTREAMS, type UpstreamName } from '../config/providers.ts'
import { systemClock } from '../core/time/clock.ts'
import { startInternet } from '../sandbox/internet.ts'
import { createSimulatedMarket } from '../sandbox/market/simulated-market.ts'
import { createPredictionVenue } from '../sandbox/prediction/prediction-venue.ts'

/** Stand-ins for the real venues, and the settings that make a service use them. */
export type Venues = { env: Record<string, string>; close(): Promise<void> }

export async function openVenues(): Promise<Venues> {
  const market = createSimulatedMarket({ seed: 'paper', startMs: systemClock.now() })
  const venue = createPredictionVenue({ seed: 'paper', market })
  const { urls, close } = await startInternet({ market, clock: systemClock, venue, realTime: true })
  return { env: settings((name) => urls[name]), close }
}

/** Where nobody listens. */
export const venuesAway = settings((name) => `${name.endsWith('_WS') ? 'ws' : 'http'}://127.0.0.1:9`)

function settings(urlOf: (name: UpstreamName) => string | undefined): Record<string, string> {
  return Object.fromEntries(UPSTREAMS.map(({ name }) => [`TOLLBOOK_UPSTREAM_${name}_URL`, urlOf(name) ?? '']))
}
