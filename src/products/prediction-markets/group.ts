import type { Group } from '../../catalog/group.ts'
import { fiveMinuteMarkets } from './five-minute.ts'
import { tradeHistory } from './history.ts'
import { marketIntelligence } from './intelligence.ts'
import { listedMarkets } from './markets.ts'
import { overview } from './overview.ts'
import type { PredictionServices } from './services.ts'

export const predictionGroup: Group<PredictionServices> = {
  tag: 'prediction-markets',
  about:
    'What prediction markets say, what we say of the same windows, and where the two differ by more than the fee.',
  endpoints: [fiveMinuteMarkets, overview, listedMarkets, marketIntelligence, tradeHistory],
}
