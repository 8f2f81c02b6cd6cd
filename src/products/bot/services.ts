import type { ResultsReader } from '../../bot/results/results.ts'
import type { FiveMinuteMarkets } from '../../feeds/prediction/five-minute-markets.ts'
import type { MarketServices } from '../market/services.ts'
import type { RecordServices } from '../record/services.ts'
import type { PublicBot } from './public-bot.ts'

/** What the demo says about the service itself, made from the catalog. */
export type Tour = {
  welcome: string
  description: string
  endpoints: readonly { path: string; description: string; price_usdc: number; curl_example: string }[]
  how_to_pay: Readonly<Record<string, string>>
  free_trial: string
}

export type BotServices = MarketServices &
  Pick<RecordServices, 'record'> & {
    fiveMinute: Pick<FiveMinuteMarkets, 'open'>
    /** Absent where no bot has a ledger. */
    results: ResultsReader | undefined
    /** Absent where no bot runs. */
    bot: PublicBot | undefined
    tour: Tour
  }
