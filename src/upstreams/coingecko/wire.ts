import { z } from 'zod'
import { maybeNumber, wireNumber } from '../wire/number.ts'
import { wireTime } from '../wire/time.ts'
import { orUnknown } from '../wire/unknown.ts'

/** A thousand times all that people own: beyond it a number is an error. */
const MAX_USD = 1e18
/** A market that is worth a million times as much as a day before is an error, too. */
const MAX_CHANGE_PERCENT = 1e8

const amount = () => wireNumber({ min: 0, max: MAX_USD })
const share = () => orUnknown(maybeNumber({ min: 0, max: 100 }))
const change = () => orUnknown(maybeNumber({ min: -100, max: MAX_CHANGE_PERCENT }))

/** `/global`: the whole market. Only the share of BTC has to be there: other coins may leave the ten that are listed. */
export const GlobalReply = z
  .object({
    data: z.object({
      total_market_cap: z.object({ usd: amount() }),
      total_volume: z.object({ usd: amount() }),
      market_cap_percentage: z.object({
        btc: wireNumber({ min: 0, max: 100 }),
        eth: share(),
        sol: share(),
        xrp: share(),
      }),
      market_cap_change_percentage_24h_usd: change(),
      volume_change_percentage_24h_usd: change(),
      updated_at: wireTime(),
    }),
  })
  .transform(({ data }) => ({
    capUsd: data.total_market_cap.usd,
    volume24hUsd: data.total_volume.usd,
    /** In percent of the market's worth. */
    dominance: {
      BTC: data.market_cap_percentage.btc,
      ETH: data.market_cap_percentage.eth,
      SOL: data.market_cap_percentage.sol,
      XRP: data.market_cap_percentage.xrp,
    },
    capChange24hPercent: data.market_cap_change_percentage_24h_usd,
    volumeChange24hPercent: data.volume_change_percentage_24h_usd,
    /** The provider's own time. */
    atMs: data.updated_at,
  }))
export type GlobalMarket = z.output<typeof GlobalReply>
