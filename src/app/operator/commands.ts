import type { Bot, By } from '../../bot/bot.ts'
import { countText } from '../../core/count-text.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { KeptBackups } from '../../ledger/files/kept-backups.ts'
import {
  COMMANDS,
  type CommandName,
  type CommandReport,
  type Commands,
} from '../../operator/admin/commands.ts'
import { type ReconnectPorts, reconnectFeeds } from './reconnect-feeds.ts'
import { type RefreshPorts, refreshMarkets } from './refresh-markets.ts'

/** Something that is kept and can be made anew. `drop` returns how many entries it had. */
export type NamedCache = { name: string; drop(): number }

export type CommandPorts = ReconnectPorts &
  RefreshPorts & {
    clock: Clock
    bot: Pick<Bot, 'config' | 'updateConfig'>
    caches: readonly NamedCache[]
    backups: KeptBackups
  }

/** Each does what it says before it resolves. The same one is not run twice at a time. */
export function createCommands(ports: CommandPorts): Commands {
  const running = new Set<CommandName>()
  const work: Commands = {
    pause_bot: (by) => enable(ports, false, by),
    resume_bot: (by) => enable(ports, true, by),
    refresh_markets: () => refreshMarkets(ports),
    reconnect_feeds: () => reconnectFeeds(ports),
    flush_caches: async () => flush(ports.caches),
    backup_store: () => backUp(ports.backups),
  }
  const once = (name: CommandName) => async (by: By) => {
    if (running.has(name))
      throw new ServiceError('conflict', `${name} is running already`, { hint: 'wait until it has replied' })
    running.add(name)
    try {
      return await work[name](by)
    } finally {
      running.delete(name)
    }
  }
  return Object.fromEntries(COMMANDS.map((name) => [name, once(name)])) as unknown as Commands
}

/** What is so already makes no new version of the configuration. */
async function enable({ bot }: CommandPorts, enabled: boolean, by: By): Promise<CommandReport> {
  const words = enabled ? 'enabled' : 'paused'
  const before = bot.config()
  if (before.config.enabled === enabled)
    return { did: `the bot was ${words} already`, facts: { enabled, version: before.version } }
  const { version } = await bot.updateConfig({ enabled }, by)
  return { did: `the bot is ${words}`, facts: { enabled, version } }
}

function flush(caches: readonly NamedCache[]): CommandReport {
  const dropped = caches.map(({ name, drop }) => [name, drop()] as const)
  const entries = dropped.reduce((sum, [, count]) => sum + count, 0)
  return {
    did: `dropped ${countText(entries, 'entry', 'entries')} of ${countText(caches.length, 'cache')}`,
    facts: Object.fromEntries(dropped),
  }
}

async function backUp(backups: KeptBackups): Promise<CommandReport> {
  const { file, bytes, settled, keys, kept, removed } = await backups.make()
  return {
    did: `wrote ${file}`,
    facts: { file, bytes, settled_payments: settled, keys, backups_kept: kept, backups_removed: removed },
  }
}
