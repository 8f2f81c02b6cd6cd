import type { ResultsReader } from '../bot/results/results.ts'
import type { Site } from '../catalog/site.ts'
import type { Config } from '../config/config.ts'
import { SERVICE } from '../core/service.ts'
import type { Clock } from '../core/time/clock.ts'
import { tourOf } from '../discovery/tour.ts'
import type { LiveServices } from '../products/bot/live/live.ts'
import type { PublicBot } from '../products/bot/public-bot.ts'
import type { BotServices } from '../products/bot/services.ts'
import type { BriefServices } from '../products/briefs/services.ts'
import type { ChatServices } from '../products/chat/services.ts'
import type { CommunityServices } from '../products/community/services.ts'
import type { DerivativesServices } from '../products/derivatives/services.ts'
import type { DiagnosisServices } from '../products/diagnosis/services.ts'
import type { DirectoryServices } from '../products/directory/services.ts'
import type { MarketServices } from '../products/market/services.ts'
import type { PaymentServices } from '../products/payments/services.ts'
import type { PredictionServices } from '../products/prediction-markets/services.ts'
import type { PublicRecord, RecordServices } from '../products/record/services.ts'
import type { SentimentServices } from '../products/sentiment/services.ts'
import type { ServiceServices } from '../products/service/services.ts'
import type { SignalServices } from '../products/signals/services.ts'
import type { TokenServices } from '../products/tokens/services.ts'
import type { WalletServices } from '../products/wallets/services.ts'
import type { WhaleServices } from '../products/whales/services.ts'
import { createSignPlayPayment } from '../sandbox/play-payment.ts'
import type { OpenIntel } from './intel/intel.ts'
import type { PaymentRails } from './payment-rails.ts'
import type { Prediction } from './prediction.ts'
import type { Known } from './roles/known.ts'
import { createSourceOf } from './source-of.ts'

/** What the handlers of each group may use. They have never heard of HTTP, MCP or headers. */
export type GroupServices = {
  market: MarketServices
  signals: SignalServices
  prediction: PredictionServices
  bot: BotServices & LiveServices
  record: RecordServices
  payments: PaymentServices
  service: ServiceServices
  tokens: TokenServices
  diagnosis: DiagnosisServices
  wallets: WalletServices
  sentiment: SentimentServices
  derivatives: DerivativesServices
  whales: WhaleServices
  directory: DirectoryServices
  briefs: BriefServices
  community: CommunityServices
  chat: ChatServices
}

type Parts = {
  config: Config
  clock: Clock
  site: Site
  open: Pick<Known['open'], 'market' | 'signals'>
  intel: Omit<OpenIntel, 'counters' | 'start' | 'stop'>
  venue: { services: Prediction }
  record: PublicRecord
  /** Absent until a bot has a ledger, and until it runs. */
  results?: ResultsReader | undefined
  publicBot?: PublicBot | undefined
  live: LiveServices['live']
  health: ServiceServices['health']
  uptime: ServiceServices['uptime']
  money: Pick<PaymentRails, 'wallets'>
  community: Pick<CommunityServices, 'watercooler' | 'pageViews'>
}

/** The services of every group but those that are built later because they need the products. */
export function createServices(parts: Parts): Omit<GroupServices, 'payments' | 'chat'> {
  const { config, clock, site, record, health, uptime, money, results, publicBot, intel } = parts
  const prediction = parts.venue.services
  const { market, signals } = parts.open
  const sourceOf = createSourceOf(config.mode)
  return {
    market: { clock, market, tokens: intel.tokens.prices, sourceOf },
    signals: { clock, market, signals, record, results, sourceOf },
    prediction: { clock, market, signals, record, sourceOf, ...prediction },
    bot: {
      ...{ clock, market, record, results, sourceOf },
      fiveMinute: prediction.fiveMinute,
      bot: publicBot,
      live: parts.live,
      tour: tourOf(site),
    },
    tokens: { ...intel.tokens, sourceOf },
    diagnosis: { ...intel.tokens, writer: intel.writer, sourceOf },
    wallets: { wallets: intel.wallets, walletLookup: intel.walletLookup, sourceOf },
    sentiment: {
      clock,
      sentiment: intel.sentiment,
      derivatives: intel.derivatives,
      cascadeRisk: intel.cascadeRisk,
      sourceOf,
    },
    derivatives: { clock, derivatives: intel.derivatives, wholeMarket: intel.wholeMarket, sourceOf },
    whales: { clock, whales: intel.whales, sourceOf },
    directory: { directory: intel.directory, sourceOf },
    briefs: {
      ...{ clock, market, signals, record, results, list: prediction.list, sourceOf },
      ...{ sentiment: intel.sentiment, whales: intel.whales, derivatives: intel.derivatives },
    },
    record: { clock, record, sourceOf },
    community: { clock, ...parts.community, sourceOf },
    service: {
      clock,
      market,
      health,
      uptime,
      wallets: money.wallets?.fresh,
      signPlayPayment: money.wallets && createSignPlayPayment(money.wallets),
      about: { mode: config.mode, version: SERVICE.version, startedAtMs: clock.now() },
    },
  }
}
