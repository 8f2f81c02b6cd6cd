import type { Config } from '../../../config/config.ts'
import { countText } from '../../../core/count-text.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { DAY_MS, HOUR_MS } from '../../../core/time/time.ts'
import { createBazaar } from '../../../upstreams/bazaar/client.ts'
import { coinGeckoHeaders, createCoinGecko } from '../../../upstreams/coingecko/client.ts'
import { createCoinLobster } from '../../../upstreams/coinlobster/client.ts'
import { createEcosystem } from '../../../upstreams/ecosystem/client.ts'
import { createFearGreedIndex } from '../../../upstreams/fng/client.ts'
import { createMempool } from '../../../upstreams/mempool/client.ts'
import { createSosoValue } from '../../../upstreams/sosovalue/client.ts'
import { type Check, ok, warning } from '../check.ts'
import { type Host, hostCheck } from '../host-check.ts'
import { explainKey } from './refused-key.ts'

/** One value a day; the product leaves it out when it is older. */
const OLD_INDEX_MS = 50 * HOUR_MS
/** Funds report each working day; with a weekend and holidays between, this is long. */
const OLD_FLOWS_MS = 14 * DAY_MS
const GITHUB_LIMIT = 403

type Settings = Pick<Config, 'upstreams' | 'keys'>

/** Its limits are wide in a day and narrow in an hour, and GitHub answers 403 beyond them. */
const explainGitHub: Host['explain'] = (error) =>
  error.status === GITHUB_LIMIT
    ? warning(
        'GitHub refuses requests from this address for now (403): its limit is 60 in an hour',
        'wait up to an hour; the service goes on with the list that it has',
      )
    : undefined

export const sentimentChecks = ({ upstreams, keys }: Settings, clock: Clock): Check[] => [
  hostCheck(
    {
      name: 'fear-greed',
      group: 'sentiment',
      provider: 'fng',
      upstream: 'FNG',
      async look(asker) {
        const [today] = await createFearGreedIndex(asker).days(1)
        const ageMs = clock.now() - (today?.atMs ?? 0)
        const what = `the index is ${today?.value}, ${Math.round(ageMs / HOUR_MS)} h old`
        return ageMs > OLD_INDEX_MS
          ? warning(what, 'wait for its publisher; sentiment goes on without it')
          : ok(what)
      },
    },
    upstreams.FNG,
  ),
  hostCheck(
    {
      name: 'coingecko',
      group: 'sentiment',
      provider: 'coingecko',
      upstream: 'COINGECKO',
      headers: coinGeckoHeaders(keys.coinGecko?.reveal()),
      async look(asker) {
        await createCoinGecko(asker).global()
        return ok(`tells of the whole market, ${keys.coinGecko ? 'with our key' : 'without a key'}`)
      },
      explain: (error) =>
        explainKey(error, {
          hasKey: keys.coinGecko !== undefined,
          variable: 'TOLLBOOK_COINGECKO_KEY',
          get: 'set TOLLBOOK_COINGECKO_KEY: a demo key is free',
        }),
    },
    upstreams.COINGECKO,
  ),
]

export const whaleChecks = ({ upstreams }: Settings, clock: Clock): Check[] => [
  hostCheck(
    {
      name: 'coinlobster',
      group: 'whales',
      provider: 'coinlobster',
      upstream: 'COINLOBSTER',
      look: async (asker) =>
        ok(`lists ${(await createCoinLobster(asker).whales()).trades.length} large trades`),
    },
    upstreams.COINLOBSTER,
  ),
  hostCheck(
    {
      name: 'mempool',
      group: 'whales',
      provider: 'mempool',
      upstream: 'MEMPOOL',
      look: async (asker) => ok(`lists ${(await createMempool(asker).blocks()).length} blocks of Bitcoin`),
    },
    upstreams.MEMPOOL,
  ),
  hostCheck(
    {
      name: 'sosovalue',
      group: 'whales',
      provider: 'sosovalue',
      upstream: 'SOSOVALUE',
      async look(asker) {
        const [last] = (await createSosoValue(asker).inflows('BTC')).days
        const ageMs = clock.now() - (last?.dayMs ?? 0)
        return ageMs > OLD_FLOWS_MS
          ? warning(
              'has no flows of the last two weeks',
              'wait for its publisher; ETF flows are missing meanwhile',
            )
          : ok(`the flows of ${countText(Math.floor(ageMs / DAY_MS), 'day')} ago are there`)
      },
    },
    upstreams.SOSOVALUE,
  ),
]

export const directoryChecks = ({ upstreams }: Settings): Check[] => [
  hostCheck(
    {
      name: 'bazaar',
      group: 'directory',
      provider: 'bazaar',
      upstream: 'BAZAAR',
      async look(asker) {
        const { total, rows } = await createBazaar(asker).page({ offset: 0, limit: 1 })
        return ok(`lists ${total ?? `at least ${rows}`} endpoints`)
      },
    },
    upstreams.BAZAAR,
  ),
  hostCheck(
    {
      name: 'ecosystem',
      group: 'directory',
      provider: 'ecosystem',
      upstream: 'ECOSYSTEM',
      // Only files are read from the other address, and the list names them.
      look: async (asker) => ok(`lists ${(await createEcosystem(asker, asker).entries()).length} projects`),
      explain: explainGitHub,
    },
    upstreams.ECOSYSTEM,
  ),
]
