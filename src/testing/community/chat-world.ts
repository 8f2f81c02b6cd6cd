import { accountGroup } from '../../account/group.ts'
import { protocolGroups } from '../../app/protocols.ts'
import { createCatalog } from '../../catalog/catalog.ts'
import type { Site } from '../../catalog/site.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { chatShopOf } from '../../discovery/chat-shop.ts'
import { discoveryGroup } from '../../discovery/group.ts'
import type { Writer } from '../../intel/writer/writer.ts'
import { createWriter } from '../../intel/writer/writer.ts'
import type { ChatServices } from '../../products/chat/services.ts'
import { productGroups } from '../../products/groups.ts'
import { testSite } from '../discovery/sample-site.ts'
import { createKeptLog } from '../kept-log.ts'

export const CHAT_MS = Date.UTC(2026, 0, 5, 12)
const timestamp = new Date(CHAT_MS - 30_000).toISOString()
const closed = { abstain: false, window_end: CHAT_MS / 1000 }

/** What the free endpoints show, made by hand. No other number of the market is known here. */
export const PREVIEWS: Readonly<Record<string, unknown>> = {
  'bot.demo': {
    timestamp,
    live_sample: {
      signals: [
        { ...closed, coin: 'BTC', direction: 'UP', outcome: 'DOWN' },
        { ...closed, coin: 'ETH', direction: 'DOWN', outcome: 'DOWN' },
        { ...closed, coin: 'SOL', direction: 'UP', outcome: 'unknown' },
        { ...closed, coin: 'XRP', direction: 'UP', outcome: 'UP', abstain: true },
      ],
      trending_tokens: [
        { name: 'BTC', price_usd: '63412.55', price_change_24h: 1.254 },
        { name: 'ETH', price_usd: '2811.4', price_change_24h: -3.71 },
        { name: 'SOL', price_usd: '141.27', price_change_24h: 0 },
        { name: 'XRP', price_usd: '0.58213', price_change_24h: 6.3 },
      ],
    },
  },
  'bot.free_trial': {
    timestamp,
    track_record: {
      predictions: {
        called: 5210,
        hits: 2806,
        hit_rate: 0.5386,
        hit_rate_low: 0.525,
        hit_rate_high: 0.5521,
        hit_rate_means_little: false,
      },
    },
  },
  'bot.stats': {
    timestamp,
    account: 'paper',
    total_trades: 412,
    win_rate: 55.58,
    win_rate_low: 50.75,
    win_rate_high: 60.3,
    bot_pnl_usdc: -18.42,
    fees_usdc: 31.07,
  },
}

/** The site with the catalog that is really served. */
export const chatSite = (changes: Partial<Site> = {}) =>
  testSite({
    catalog: createCatalog<Site>([...productGroups, accountGroup, ...protocolGroups, discoveryGroup]),
    ...changes,
  })

export function createChatWorld({ writer, site = chatSite() }: { writer?: Writer; site?: Site } = {}) {
  const clock = createManualClock(CHAT_MS)
  const services: ChatServices = {
    clock,
    writer: writer ?? createWriter({ clock, log: createKeptLog(), model: undefined }),
    shop: chatShopOf(site),
    preview: async (id) => PREVIEWS[id],
    sourceOf: (source) => `sandbox:${source}`,
  }
  return { clock, services, site }
}
