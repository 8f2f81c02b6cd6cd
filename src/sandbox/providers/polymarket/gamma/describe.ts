import { createHash } from 'node:crypto'
import type { Coin } from '../../../../core/coin.ts'
import type { VenueMarket } from '../../../prediction/venue.ts'

const NAMES: Readonly<Record<Coin, string>> = { BTC: 'Bitcoin', ETH: 'Ethereum', SOL: 'Solana', XRP: 'XRP' }

export type EventText = { id: string; title: string; description: string; resolutionSource: string }

/** What an event says about itself. */
export function describeEvent(market: VenueMarket): EventText {
  const id = numericId(market.eventSlug)
  if (!market.series)
    return {
      id,
      title: market.eventTitle ?? market.question,
      description: `This market is part of a sandbox. It resolves to "${market.outcomes[0]}" or "${market.outcomes[1]}" as the simulation decides.`,
      resolutionSource: '',
    }
  const { coin } = market.series
  const source = `https://data.chain.link/streams/${coin.toLowerCase()}-usd-twap-60s-streams`
  return { id, title: market.question, description: ruleOf(coin, source), resolutionSource: source }
}

function ruleOf(coin: Coin, source: string): string {
  return [
    `This market of a sandbox resolves to "Up" if the 60-second time-weighted average price of ${NAMES[coin]} at the end of the time range in the title is at or above the one at its beginning, and to "Down" otherwise.`,
    `The prices are simulated. They stand for the ${coin}/USD data stream at ${source}.`,
  ].join('\n')
}

/** A number of up to ten digits that belongs to the name. */
export function numericId(name: string): string {
  return String(createHash('sha1').update(name).digest().readUInt32BE(0))
}

/** A 32-byte hash that belongs to the name. */
export function hexId(name: string): string {
  return `0x${createHash('sha256').update(name).digest('hex')}`
}
