import { describeError } from '../../core/describe-error.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { BotBook, BrokerName, ConfigRow } from '../../ledger/ports/bot-book.ts'
import type { By, ConfigChange } from '../bot.ts'
import { DEFAULT_CONFIG, type TradingConfig, type VersionedConfig } from '../trading-config.ts'
import { faultsOf, parseConfigText, toConfigText } from './stored-config.ts'

export type ConfigKeeper = {
  /** Gives the reason where the stored one cannot be read: then it is simulated money, and not enabled. */
  load(): Promise<string | undefined>
  read(): VersionedConfig
  broker(): BrokerName
  history(limit: number): Promise<readonly VersionedConfig[]>
  change(change: ConfigChange, by: By, madeOf?: number): Promise<VersionedConfig>
}

type Ports = {
  clock: Clock
  book: Pick<BotBook, 'addConfig' | 'configs'>
  /** Throws where the other broker may not be traded with now. */
  checkSwitch(to: BrokerName): Promise<void>
}

const SAFE_CONFIG: TradingConfig = { ...DEFAULT_CONFIG, simMode: true, enabled: false }

export const brokerOf = ({ simMode }: TradingConfig): BrokerName => (simMode ? 'paper' : 'polymarket')

export function createConfigKeeper({ clock, book, checkSwitch }: Ports): ConfigKeeper {
  let current: VersionedConfig = { version: 0, atMs: 0, by: 'default', config: SAFE_CONFIG }
  const load = async () => {
    const [row] = await book.configs({ limit: 1, offset: 0 })
    const found = row && readRow(row)
    current = found?.config ?? { version: 0, atMs: clock.now(), by: 'default', config: DEFAULT_CONFIG }
    return found?.fault
  }
  return {
    load,
    read: () => current,
    broker: () => brokerOf(current.config),
    async history(limit) {
      const versions = (await book.configs({ limit, offset: 0 })).map((row) => readRow(row).config)
      const first = versions.at(-1)
      // What the first change was made of was never written.
      return first?.version === 1 && versions.length < limit
        ? [...versions, { version: 0, atMs: first.atMs, by: 'default', config: DEFAULT_CONFIG }]
        : versions
    },
    async change(change, by, madeOf = current.version) {
      const before = current
      if (madeOf !== before.version)
        throw new ServiceError(
          'conflict',
          `the change was made of version ${madeOf}, and ${before.by} has made version ${before.version} since`,
          { hint: 'read the configuration again, then send the change again' },
        )
      const config = merge(before.config, change)
      const faults = faultsOf(config)
      if (faults.length > 0)
        throw new ServiceError('bad_request', `that configuration is not possible: ${faults.join('; ')}`)
      if (brokerOf(config) !== brokerOf(before.config)) await checkSwitch(brokerOf(config))
      const next = { version: before.version + 1, atMs: clock.now(), by, config }
      const isFirst = current === before && (await book.addConfig({ ...next, text: toConfigText(config) }))
      // Another process may have written it: without a look at the ledger no change would be possible any more.
      if (!isFirst && current === before) await load()
      if (!isFirst)
        throw new ServiceError('conflict', 'the configuration was changed by somebody else at this moment', {
          hint: 'read it again, then send the change again',
        })
      current = next
      return next
    },
  }
}

function merge(config: TradingConfig, change: ConfigChange): TradingConfig {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  return { ...config, ...given, contrarian: { ...config.contrarian, ...change.contrarian } }
}

function readRow({ text, ...row }: ConfigRow): { config: VersionedConfig; fault?: string } {
  try {
    return { config: { ...row, config: parseConfigText(text) } }
  } catch (err) {
    const fault = `version ${row.version} of the configuration cannot be read: ${describeError(err)}`
    return { config: { ...row, config: SAFE_CONFIG }, fault }
  }
}
