import type { Config } from '../../../config/config.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { MINUTE_MS, SECOND_MS } from '../../../core/time/time.ts'
import { windowAt } from '../../../core/time/window.ts'
import { createClob } from '../../../upstreams/polymarket/clob/client.ts'
import { createPolyData } from '../../../upstreams/polymarket/data/client.ts'
import { createGamma } from '../../../upstreams/polymarket/gamma/client.ts'
import { type Check, failure, ok, skipped, warning } from '../check.ts'
import { type Host, hostCheck } from '../host-check.ts'

const COIN = 'BTC'
/** The account data of the venue is then too old to reconcile with. */
const BEHIND_AFTER_S = (10 * MINUTE_MS) / SECOND_MS

type PublicHost = Omit<Host, 'group'> & { upstream: 'GAMMA' | 'CLOB' | 'POLY_DATA' }

type Settings = Pick<Config, 'upstreams' | 'polyWallet' | 'polymarket'>

const hosts = ({ polyWallet, polymarket }: Settings, clock: Clock): readonly PublicHost[] => [
  {
    name: 'gamma',
    provider: 'gamma',
    upstream: 'GAMMA',
    async look(asker) {
      const market = await createGamma(asker).fiveMinute(COIN, windowAt(clock.now()).startS)
      return market
        ? ok(`lists the open ${COIN} market`)
        : failure(
            `does not list the open five-minute market of ${COIN}`,
            'look at the clock of this machine, then wait for the venue',
          )
    },
  },
  {
    name: 'clob',
    provider: 'clob',
    upstream: 'CLOB',
    look: async (asker) => ok(`tells the time ${new Date(await createClob(asker).timeMs()).toISOString()}`),
  },
  {
    name: 'poly-data',
    provider: 'poly_data',
    upstream: 'POLY_DATA',
    async look(asker) {
      if (!polyWallet && !polymarket) return skipped('not asked: TOLLBOOK_POLY_WALLET names no account')
      const { lagS } = await createPolyData(asker).status()
      return lagS > BEHIND_AFTER_S
        ? warning(`is ${Math.round(lagS)} s behind`, 'wait: what accounts did and hold is shown late')
        : ok(`is ${Math.round(lagS)} s behind`)
    },
  },
]

/** What Polymarket publishes for everybody: the market list, the order book, the data of accounts. */
export const publicHostChecks = (config: Settings, clock: Clock): Check[] =>
  hosts(config, clock).map((host) =>
    hostCheck({ ...host, group: 'prediction' }, config.upstreams[host.upstream]),
  )
